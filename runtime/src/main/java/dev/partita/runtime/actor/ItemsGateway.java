package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.ShardingEnvelope;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemRead;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.PageRead;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.SessionToken;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.store.ItemKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * From a request to the physical partition that owns its key. Writes go to the primary through the shard
 * region; reads go straight to a replica of this node that is fresh enough, and do not pass an actor unless
 * only the primary can say how fresh that is.
 */
public final class ItemsGateway implements Items {
  private final ActorRef<ShardingEnvelope<PhysicalPartitionActor.Command>> region;
  private final NodeContext node;
  private volatile Predicate<Container> gone = container -> false;

  ItemsGateway(
      ActorRef<ShardingEnvelope<PhysicalPartitionActor.Command>> region, NodeContext node) {
    this.region = region;
    this.node = node;
  }

  /** Containers that {@code test} says are deleted get the answer that they are gone. */
  void guardedBy(Predicate<Container> test) {
    gone = test;
  }

  @Override
  public CompletableFuture<ItemAnswer> write(Container container, ItemWrite write) {
    if (gone.test(container)) {
      return CompletableFuture.completedFuture(new ItemAnswer.ContainerGone());
    }
    EffectivePartitionKey epk = EffectivePartitionKey.of(container.partitionKey(), write.key());
    return write(container.routingMap().rangeOf(epk).partition(), epk, write);
  }

  CompletableFuture<ItemAnswer> write(
      PhysicalPartitionId partition, EffectivePartitionKey epk, ItemWrite write) {
    CompletableFuture<ItemAnswer> reply = new CompletableFuture<>();
    long timeout = node.settings().requestTimeout().toMillis();
    tell(
        partition,
        new PhysicalPartitionActor.Write(
            write,
            new LogicalPartitionKey(epk.bytes(), write.key().canonicalBytes()),
            node.millis() + timeout,
            reply));
    // The primary answers what it has not appended by the deadline; a little later nobody will.
    return reply.completeOnTimeout(
        new ItemAnswer.OutcomeUnknown("no answer within "
            + timeout
            + " ms; the write may have happened or not: read before you retry"),
        timeout + 1_000,
        TimeUnit.MILLISECONDS);
  }

  @Override
  public CompletableFuture<ItemAnswer> read(Container container, ItemRead read) {
    if (gone.test(container)) {
      return CompletableFuture.completedFuture(new ItemAnswer.ContainerGone());
    }
    EffectivePartitionKey epk = EffectivePartitionKey.of(container.partitionKey(), read.key());
    PartitionKeyRange range = container.routingMap().rangeOf(epk);
    ItemKey key = key(epk, read.key(), read.id());
    return onReplica(
        range,
        read.consistency(),
        replica -> LocalReads.item(node, replica, key, read.ifNoneMatch(), read.consistency()),
        replica -> new ItemAnswer.SessionNotReached(LocalReads.served(replica, 0)),
        ItemAnswer.Unavailable::new);
  }

  @Override
  public CompletableFuture<PageAnswer> page(Container container, PageRead read) {
    if (gone.test(container)) {
      return CompletableFuture.completedFuture(new PageAnswer.ContainerGone());
    }
    return new PageReader(node, container, read, this::onPageReplica).next();
  }

  private CompletableFuture<PageReader.Part> onPageReplica(
      PartitionKeyRange range,
      ReadConsistency consistency,
      Function<LocalReplica, PageReader.Part> read) {
    return onReplica(
        range,
        consistency,
        read,
        replica ->
            new PageReader.Failed(new PageAnswer.SessionNotReached(LocalReads.served(replica, 0))),
        why -> new PageReader.Failed(new PageAnswer.Unavailable(why)));
  }

  /** Every LSN acknowledged before the call lies at or below the answer; empty when no primary confirms. */
  CompletableFuture<Optional<Lsn>> readIndex(PhysicalPartitionId partition) {
    CompletableFuture<Optional<Lsn>> reply = new CompletableFuture<>();
    long timeout = node.settings().requestTimeout().toMillis();
    tell(partition, new PhysicalPartitionActor.ReadIndex(node.millis() + timeout, reply));
    return reply.completeOnTimeout(Optional.empty(), timeout + 1_000, TimeUnit.MILLISECONDS);
  }

  CompletableFuture<PhysicalPartitionActor.PartitionStatus> status(
      PhysicalPartitionId partition, long timeoutMillis) {
    CompletableFuture<PhysicalPartitionActor.PartitionStatus> reply = new CompletableFuture<>();
    tell(partition, new PhysicalPartitionActor.GetStatus(reply));
    return reply.orTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** The partition's container is deleted. */
  void gone(PhysicalPartitionId partition) {
    tell(partition, PhysicalPartitionActor.Gone.INSTANCE);
  }

  void wake(PhysicalPartitionId partition) {
    tell(partition, PhysicalPartitionActor.Wake.INSTANCE);
  }

  private void tell(PhysicalPartitionId partition, PhysicalPartitionActor.Command command) {
    region.tell(new ShardingEnvelope<>(Long.toString(partition.value()), command));
  }

  private <A> CompletableFuture<A> onReplica(
      PartitionKeyRange range,
      ReadConsistency consistency,
      Function<LocalReplica, A> read,
      Function<LocalReplica, A> notReached,
      Function<String, A> unavailable) {
    Level level = consistency.level();
    boolean confirmed = level == Level.STRONG || level == Level.BOUNDED_STALENESS;
    if (confirmed || node.locals().of(range.partition()).isEmpty()) {
      return readIndex(range.partition())
          .thenComposeAsync(
              index -> index.isEmpty()
                  ? CompletableFuture.completedFuture(unavailable.apply(
                      "no primary confirmed the read within the request time-out; try again"))
                  : atLeast(range, index.get(), read, notReached, unavailable),
              node.storage());
    }
    if (level == Level.SESSION && consistency.token() == null) {
      // A session that says nothing has at least seen what this node has acknowledged.
      Lsn acknowledged = node.locals().acknowledged(range.partition());
      return atLeast(range, acknowledged, read, read, unavailable);
    }
    Lsn floor = level == Level.SESSION ? floor(range, consistency.token()) : Lsn.ZERO;
    return atLeast(range, floor, read, notReached, unavailable);
  }

  /** Reads at the next replica in turn that goes as far as {@code floor}, or waits for the first that does. */
  private <A> CompletableFuture<A> atLeast(
      PartitionKeyRange range,
      Lsn floor,
      Function<LocalReplica, A> read,
      Function<LocalReplica, A> notReached,
      Function<String, A> unavailable) {
    List<LocalReplica> replicas = node.locals().of(range.partition());
    if (replicas.isEmpty()) {
      return CompletableFuture.completedFuture(
          unavailable.apply("no replica of the partition is ready on this node; try again"));
    }
    int turn = node.locals().nextTurn();
    for (int i = 0; i < replicas.size(); i++) {
      LocalReplica replica = replicas.get((turn + i) % replicas.size());
      if (!floor.isAfter(replica.applied())) {
        return CompletableFuture.supplyAsync(() -> read.apply(replica), node.storage());
      }
    }
    CompletableFuture<LocalReplica> first = new CompletableFuture<>();
    replicas.forEach(replica -> {
      CompletableFuture<Void> reached = replica.whenApplied(floor);
      var unused = reached.thenRunAsync(() -> first.complete(replica), node.storage());
      var unusedToo =
          first.whenCompleteAsync((r, failure) -> replica.forget(reached), node.storage());
    });
    return first
        .orTimeout(node.settings().sessionWait().toMillis(), TimeUnit.MILLISECONDS)
        .handleAsync(
            (replica, tooLate) ->
                tooLate == null ? read.apply(replica) : notReached.apply(furthest(replicas)),
            node.storage());
  }

  private static LocalReplica furthest(List<LocalReplica> replicas) {
    return replicas.stream().max(Comparator.comparing(LocalReplica::applied)).orElseThrow();
  }

  /** What the token says of this range; a token of an ancestor counts, since children go on from there. */
  private static Lsn floor(PartitionKeyRange range, @Nullable SessionToken token) {
    if (token == null) {
      return Lsn.ZERO;
    }
    Lsn floor = token.seen().getOrDefault(range.id(), Lsn.ZERO);
    for (int parent : range.parents()) {
      floor = Lsn.max(floor, token.seen().getOrDefault(parent, Lsn.ZERO));
    }
    return floor;
  }

  static ItemKey key(EffectivePartitionKey epk, PartitionKey key, String id) {
    return new ItemKey(epk.bytes(), key.canonicalBytes(), Bytes.utf8(id));
  }
}
