package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.item.CommittedItems;
import dev.partita.runtime.item.Decision;
import dev.partita.runtime.item.EtagSource;
import dev.partita.runtime.item.ItemDocument;
import dev.partita.runtime.item.LogicalItems;
import dev.partita.runtime.item.LogicalSize;
import dev.partita.runtime.item.RidSource;
import dev.partita.runtime.item.StoredItem;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Orders the writes of one partition key: decides each over the applied state and its own writes in flight,
 * and hands what is decided to the primary, its parent, in that order. When nothing of its key is under way
 * the parent may give it another one. Runs where it may wait for the disk.
 */
final class LogicalPartitionEntity extends AbstractBehavior<LogicalPartitionEntity.Command> {
  private static final Duration BUSY_RETRY = Duration.ofMillis(20);

  /** What an entity is told. */
  sealed interface Command {}

  /**
   * Decide about this write.
   *
   * @param child this entity as its parent knows it
   * @param floor whatever was written up to here by entities that are gone must be seen
   */
  record Decide(LogicalPartitions.Child child, PhysicalPartitionActor.Write write, Lsn floor)
      implements Command {}

  static Behavior<Command> create(
      PartitionDescriptor descriptor,
      EtagSource etags,
      RidSource rids,
      ActorRef<PhysicalPartitionActor.Command> primary,
      NodeContext node) {
    return Behaviors.setup(
        context -> new LogicalPartitionEntity(context, descriptor, etags, rids, primary, node));
  }

  private final PartitionDescriptor descriptor;
  private final EtagSource etags;
  private final RidSource rids;
  private final ActorRef<PhysicalPartitionActor.Command> primary;
  private final NodeContext node;
  private final ItemDocument documents;
  private Lsn floor = Lsn.ZERO;
  private @Nullable LogicalPartitionKey current;
  private @Nullable LogicalItems currentItems;

  private LogicalPartitionEntity(
      ActorContext<Command> context,
      PartitionDescriptor descriptor,
      EtagSource etags,
      RidSource rids,
      ActorRef<PhysicalPartitionActor.Command> primary,
      NodeContext node) {
    super(context);
    this.descriptor = descriptor;
    this.etags = etags;
    this.rids = rids;
    this.primary = primary;
    this.node = node;
    this.documents = new ItemDocument(descriptor.databaseRid(), descriptor.containerRid());
  }

  private LogicalItems itemsOf(LogicalPartitionKey key) {
    LogicalItems items = currentItems;
    if (items == null || !key.equals(current)) {
      items = new LogicalItems(
          key.effectivePartitionKey(),
          key.partitionKey(),
          documents,
          LogicalItems.PENDING_MAX_DEFAULT);
      current = key;
      currentItems = items;
    }
    return items;
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder().onMessage(Decide.class, this::onDecide).build();
  }

  private Behavior<Command> onDecide(Decide message) {
    PhysicalPartitionActor.Write write = message.write();
    if (node.millis() > write.deadlineMillis()) {
      refuse(
          message,
          new ItemAnswer.Unavailable("the partition was too slow; nothing was written; try again"));
      return this;
    }
    LogicalItems items = itemsOf(write.key());
    floor = Lsn.max(floor, message.floor());
    Optional<LocalReplica> replica = node.locals().furthest(descriptor.id());
    if (replica.isEmpty() || floor.isAfter(replica.get().applied())) {
      refuse(
          message,
          new ItemAnswer.TooManyRequests(
              BUSY_RETRY, "the replica on this node catches up; nothing was written; try again"));
      return this;
    }
    floor = replica.get().applied(); // what is dropped here is only to be found from here on
    items.appliedThrough(floor);
    Committed committed = new Committed(write.key(), replica.get());
    Decision decision;
    try {
      decision =
          items.decide(write.write(), committed, node.wallClockMillis() / 1_000, etags, rids);
    } catch (StoreException e) {
      refuse(message, new ItemAnswer.Unavailable(e.getMessage()));
      return this;
    }
    if (decision instanceof Decision.Propose proposal) {
      propose(message, proposal, items);
    } else if (decision instanceof Decision.Refuse refusal) {
      refuse(message, answer(refusal, replica.get()));
    } else {
      refuse(
          message,
          new ItemAnswer.TooManyRequests(
              BUSY_RETRY, "the partition key has too many writes under way; try again shortly"));
    }
    return this;
  }

  private void propose(Decide message, Decision.Propose proposal, LogicalItems items) {
    double charge = proposal.charge(node.charges());
    Bytes body = proposal
        .body(
            node.requestId(),
            node.wallClockMillis() + node.settings().requestTimeout().toMillis(),
            charge)
        .encode();
    PendingWrite pending = new PendingWrite(
        message.child(),
        body,
        proposal.outcome(),
        proposal.document(),
        proposal.etag(),
        descriptor.rangeId(),
        charge,
        message.write().reply());
    items.proposed(proposal, pending::lsn);
    primary.tell(new PhysicalPartitionActor.Proposal(pending));
  }

  private void refuse(Decide message, ItemAnswer answer) {
    primary.tell(new PhysicalPartitionActor.Refusal(
        message.child(), answer, message.write().reply()));
  }

  private ItemAnswer answer(Decision.Refuse refusal, LocalReplica local) {
    Lsn applied = local.applied();
    Served served = new Served(
        descriptor.rangeId(),
        applied,
        Lsn.max(applied, local.committed()),
        refusal.itemLsn(),
        refusal.charge(node.charges()));
    return switch (refusal.reason()) {
      case NOT_FOUND -> new ItemAnswer.NotFound(served);
      case CONFLICT -> new ItemAnswer.Conflict(served);
      case PRECONDITION_FAILED -> new ItemAnswer.PreconditionFailed(served);
    };
  }

  /** What a replica here has applied: a newer state than the entity was told of does no harm. */
  private final class Committed implements CommittedItems {
    private final LogicalPartitionKey key;
    private final LocalReplica local;

    Committed(LogicalPartitionKey key, LocalReplica local) {
      this.key = key;
      this.local = local;
    }

    @Override
    public @Nullable StoredItem item(Bytes id) {
      Bytes value = node.store()
          .item(local.area(), new ItemKey(key.effectivePartitionKey(), key.partitionKey(), id));
      return value == null ? null : StoredItem.decode(value);
    }

    @Override
    public LogicalSize size() {
      Bytes value =
          node.store().logicalSize(local.area(), key.effectivePartitionKey(), key.partitionKey());
      return value == null ? LogicalSize.EMPTY : LogicalSize.decode(value);
    }
  }
}
