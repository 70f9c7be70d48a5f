package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.receptionist.Receptionist;
import akka.cluster.sharding.typed.javadsl.EntityTypeKey;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.replication.Action;
import dev.partita.runtime.replication.EntryKind;
import dev.partita.runtime.replication.FromReplica;
import dev.partita.runtime.replication.Primary;
import dev.partita.runtime.replication.Step;
import dev.partita.runtime.store.PartitionDescriptor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The primary of one physical partition, cluster-sharded by the partition's id: finds and watches its
 * replicas wherever they are hosted, runs a {@link Primary} over them, and lets requests through to the
 * logical partitions while it serves. All it knows is volatile; a second one elsewhere is harmless.
 */
public final class PhysicalPartitionActor extends AbstractBehavior<PhysicalPartitionActor.Command> {
  /** Cluster Sharding's name for primaries; the entity id is the number of the physical partition. */
  public static final EntityTypeKey<Command> TYPE_KEY =
      EntityTypeKey.create(Command.class, "physical-partition");

  private static final Duration GONE_FOR = Duration.ofSeconds(30);

  /** What a primary is told. */
  public sealed interface Command {}

  /**
   * A write, checked but for what only its logical partition knows.
   *
   * @param deadlineMillis on this node's monotonic clock; nothing is appended after it
   * @param reply completed with the answer; the caller bounds the wait
   */
  record Write(
      ItemWrite write,
      LogicalPartitionKey key,
      long deadlineMillis,
      CompletableFuture<ItemAnswer> reply)
      implements Command {}

  /**
   * Asks for an LSN that covers every write acknowledged before the request, confirmed by a read quorum
   * (S-L of replication.md 7.2). Empty when there is no primary to tell.
   */
  record ReadIndex(long deadlineMillis, CompletableFuture<Optional<Lsn>> reply)
      implements Command {}

  /** Asks how the partition is. */
  record GetStatus(CompletableFuture<PartitionStatus> reply) implements Command {}

  /** Makes the primary run; it needs nothing more. */
  enum Wake implements Command {
    INSTANCE
  }

  /** The partition's container is deleted: answer everybody so, and stop. */
  enum Gone implements Command {
    INSTANCE
  }

  /**
   * @param serving whether writes are let through
   * @param writable whether a write quorum can be reached
   * @param members the replica set, and through where each is known to hold the log durably
   * @param reachable those of them that are up
   */
  record PartitionStatus(
      boolean serving,
      boolean writable,
      SortedMap<ReplicaId, Lsn> members,
      Set<ReplicaId> reachable) {}

  /** A host has this replica of the partition. */
  record MemberFound(
      ReplicaId id, PartitionDescriptor descriptor, ActorRef<ReplicaActor.Command> replica)
      implements Command {}

  /** An answer of a replica. */
  record FromMember(FromReplica answer) implements Command {}

  /** A logical partition wants this entry appended. */
  record Proposal(PendingWrite pending) implements Command {}

  /** A logical partition has a negative answer; it is given when L10 allows. */
  record Refusal(
      LogicalPartitions.Child child, ItemAnswer answer, CompletableFuture<ItemAnswer> reply)
      implements Command {}

  /** The replica has stopped, or its node is down. */
  record MemberLost(ReplicaId id, ActorRef<ReplicaActor.Command> replica) implements Command {}

  private record Hosts(Set<ActorRef<ReplicaHost.Command>> hosts) implements Command {}

  private enum LocalCaughtUp implements Command {
    INSTANCE
  }

  private enum Leave implements Command {
    INSTANCE
  }

  private enum Own implements Command {
    TICK,
    FLUSH
  }

  /** The primary of {@code id}. */
  public static Behavior<Command> create(PhysicalPartitionId id, NodeContext node) {
    return Behaviors.setup(context ->
        Behaviors.withTimers(timers -> new PhysicalPartitionActor(context, timers, id, node)));
  }

  private final TimerScheduler<Command> timers;
  private final PhysicalPartitionId id;
  private final NodeContext node;
  private final Members members;
  private final Outstanding outstanding = new Outstanding();
  private final ArrayDeque<Command> waiting = new ArrayDeque<>();
  private @Nullable Primary primary;
  private @Nullable LogicalPartitions logical;
  private @Nullable Lsn noOp;
  private boolean flushQueued;
  private long startAtMillis;

  private PhysicalPartitionActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      PhysicalPartitionId id,
      NodeContext node) {
    super(context);
    this.timers = timers;
    this.id = id;
    this.node = node;
    this.members = new Members(context, id, node);
    timers.startTimerWithFixedDelay(Own.TICK, node.settings().tick());
    ActorRef<Receptionist.Listing> listings = context.messageAdapter(
        Receptionist.Listing.class,
        listing -> new Hosts(listing.getServiceInstances(ReplicaHost.SERVICE_KEY)));
    context
        .getSystem()
        .receptionist()
        .tell(Receptionist.subscribe(ReplicaHost.SERVICE_KEY, listings));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Write.class, this::onWrite)
        .onMessage(Proposal.class, this::onProposal)
        .onMessage(FromMember.class, this::onFromMember)
        .onMessage(Refusal.class, this::onRefusal)
        .onMessage(ReadIndex.class, this::onReadIndex)
        .onMessage(Own.class, own -> own == Own.FLUSH ? onFlush() : onTick())
        .onMessage(Hosts.class, this::onHosts)
        .onMessage(MemberFound.class, this::onMemberFound)
        .onMessage(MemberLost.class, this::onMemberLost)
        .onMessage(LocalCaughtUp.class, caughtUp -> onLocalCaughtUp())
        .onMessage(GetStatus.class, this::onGetStatus)
        .onMessage(Wake.class, wake -> this) // being here is all it asks
        .onMessage(Gone.class, gone -> onGone())
        .onSignal(akka.actor.typed.PostStop.class, stop -> onStop())
        .build();
  }

  // Finding the replicas.

  private Behavior<Command> onHosts(Hosts found) {
    members.hosts(found.hosts());
    return this;
  }

  private Behavior<Command> onMemberFound(MemberFound found) {
    if (!members.found(found)) {
      return this; // asked again, same answer
    }
    if (primary == null) {
      Optional<ReplicaId> local =
          node.stores().contains(found.id().store()) ? Optional.of(found.id()) : Optional.empty();
      primary = new Primary(node.clusterId(), id, local, node.settings().primary());
      perform(primary.start(node.attempt(), node.millis()));
    } else {
      perform(primary.memberFound(found.id(), node.millis()));
    }
    return this;
  }

  private Behavior<Command> onMemberLost(MemberLost lost) {
    if (members.lost(lost) && primary != null) {
      primary.memberLost(lost.id());
    }
    return this;
  }

  // Leading.

  private Behavior<Command> onFromMember(FromMember from) {
    if (primary != null) {
      perform(primary.receive(from.answer(), node.millis()));
    }
    return this;
  }

  private Behavior<Command> onTick() {
    long now = node.millis();
    if (primary != null && primary.isLeading()) {
      members.findMissing(primary.configuration());
    } else {
      members.findAny();
    }
    if (primary != null) {
      if (primary.phase() == Primary.Phase.IDLE && now >= startAtMillis) {
        perform(primary.start(node.attempt(), now));
      } else {
        perform(primary.tick(now));
      }
      onLocalCaughtUp(); // for a replica that was not listed when the entry was committed
    }
    expire(now);
    if (logical != null) {
      logical.passivateIdle(now);
    }
    return this;
  }

  private Behavior<Command> onFlush() {
    flushQueued = false;
    if (primary != null && primary.isLeading()) {
      perform(primary.flush(node.millis()));
    }
    return this;
  }

  /** One flush for everything that the mailbox holds now. */
  private void flushSoon() {
    if (!flushQueued) {
      flushQueued = true;
      getContext().getSelf().tell(Own.FLUSH);
    }
  }

  private void perform(Step step) {
    for (Action action : step.actions()) {
      if (action instanceof Action.Send send) {
        members.send(send);
      } else if (action instanceof Action.Broadcast broadcast) {
        members.broadcast(broadcast.message());
      } else if (action instanceof Action.Committed committed) {
        onCommitted(committed.through());
      } else if (action instanceof Action.RoundConfirmed confirmed) {
        outstanding.confirmed(confirmed.round(), primary == null ? Lsn.ZERO : primary.commit());
      } else if (action instanceof Action.NoOpCommitted committed) {
        awaitLocal(committed.lsn());
      } else if (action instanceof Action.SteppedDown down) {
        onSteppedDown(down);
      } else if (action instanceof Action.Alarm alarm) {
        getContext().getLog().error("{}: {}: {}", id, alarm.kind(), alarm.text());
      } else if (action instanceof Action.Dropped dropped) {
        getContext().getLog().debug("{} drops an answer: {}", id, dropped.reason());
      }
    }
  }

  /** L7: nothing is served before a replica on this node has applied the primary's first entry. */
  private void awaitLocal(Lsn lsn) {
    noOp = lsn;
    for (LocalReplica local : node.locals().running(id)) {
      getContext().pipeToSelf(local.whenApplied(lsn), (nothing, failure) -> LocalCaughtUp.INSTANCE);
    }
  }

  private Behavior<Command> onLocalCaughtUp() {
    Optional<LocalReplica> local = node.locals().furthest(id);
    if (noOp == null
        || primary == null
        || local.isEmpty()
        || noOp.isAfter(local.get().applied())) {
      return this; // another was faster, or the attempt is over, or a tick comes too early
    }
    noOp = null;
    logical =
        new LogicalPartitions(getContext(), local.get(), primary.epoch(), primary.lastLsn(), node);
    getContext().getLog().debug("{} serves in epoch {}", id, primary.epoch());
    while (!waiting.isEmpty() && logical != null) {
      Command command = waiting.remove();
      if (command instanceof Write write) {
        onWrite(write);
      } else if (command instanceof ReadIndex read) {
        onReadIndex(read);
      }
    }
    return this;
  }

  private void onSteppedDown(Action.SteppedDown down) {
    getContext().getLog().info("{} steps down: {}", id, down.reason());
    startAtMillis = down.retryAt();
    noOp = null;
    if (logical != null) {
      logical.stop();
      logical = null;
    }
    String why = "the primary of the partition stepped down (" + down.reason() + ")";
    outstanding.end(write -> write
        .reply()
        .complete(new ItemAnswer.OutcomeUnknown(
            "the write may have happened or not: " + why + "; read before you retry")));
  }

  private Behavior<Command> onStop() {
    if (primary != null) {
      perform(primary.stop(node.millis()));
    }
    waiting.forEach(command -> refuse(command, "the node is stopping; try again"));
    waiting.clear();
    return this;
  }

  /** Stays for a while, to tell those who looked the container up before it was deleted. */
  private Behavior<Command> onGone() {
    waiting.forEach(PhysicalPartitionActor::tellGone);
    waiting.clear();
    outstanding.end(write -> write.reply().complete(new ItemAnswer.ContainerGone()));
    timers.cancelAll();
    timers.startSingleTimer(Leave.INSTANCE, GONE_FOR);
    return Behaviors.receive(Command.class)
        .onMessage(Write.class, this::answerGone)
        .onMessage(ReadIndex.class, this::answerGone)
        .onMessage(Proposal.class, this::answerGone)
        .onMessage(Refusal.class, this::answerGone)
        .onMessage(Leave.class, leave -> Behaviors.stopped())
        .onAnyMessage(
            late -> Behaviors.same()) // replicas and hosts have nothing to say to it any more
        .build();
  }

  private Behavior<Command> answerGone(Command command) {
    tellGone(command);
    return Behaviors.same();
  }

  private static void tellGone(Command command) {
    if (command instanceof Write write) {
      write.reply().complete(new ItemAnswer.ContainerGone());
    } else if (command instanceof Proposal proposal) {
      proposal.pending().reply().complete(new ItemAnswer.ContainerGone());
    } else if (command instanceof Refusal refusal) {
      refusal.reply().complete(new ItemAnswer.ContainerGone());
    } else {
      refuse(command, "the container is deleted");
    }
  }

  // Requests.

  private Behavior<Command> onWrite(Write write) {
    int underWay = waiting.size() + (logical == null ? 0 : logical.underWay());
    if (underWay >= node.settings().pendingWritesMax()) {
      write
          .reply()
          .complete(new ItemAnswer.TooManyRequests(
              Duration.ofMillis(50),
              "the partition has "
                  + node.settings().pendingWritesMax()
                  + " writes under way; try again shortly"));
      return this;
    }
    if (logical == null) {
      waiting.add(write);
      return this;
    }
    if (primary == null || !primary.configuration().isWriteQuorum(members::isReachable)) {
      refuse(write, tooFewReplicas());
      return this;
    }
    logical.decide(write);
    return this;
  }

  private String tooFewReplicas() {
    if (primary == null) {
      return "the partition has no primary yet; try again";
    }
    if (primary.configuration().isWriteQuorum(members::isReachable)) {
      return "the replicas of the partition are up but do not make writes durable: the disk may be full,"
          + " and the node's log says why; nothing was written";
    }
    int all = primary.configuration().members().size();
    return members.reachable().size()
        + " of "
        + all
        + " replicas of the partition are up and a write needs "
        + (all / 2 + 1)
        + "; nothing was written";
  }

  private Behavior<Command> onProposal(Proposal proposal) {
    PendingWrite write = proposal.pending();
    if (logical == null || primary == null || !logical.owns(write.child())) {
      write
          .reply()
          .complete(new ItemAnswer.Unavailable(
              "the partition has no primary; nothing was written; try again"));
      return this;
    }
    Lsn lsn = primary.propose(EntryKind.WRITE, write.body(), node.wallClockMillis());
    write.appended(lsn);
    write.child().appended(lsn);
    outstanding.add(write);
    flushSoon();
    return this;
  }

  private void onCommitted(Lsn through) {
    node.locals().acknowledged(id, through);
    outstanding.committed(through, write -> {
      if (logical != null) {
        logical.answered(write.child());
      }
    });
  }

  private Behavior<Command> onRefusal(Refusal refusal) {
    LogicalPartitions serving = logical;
    if (serving == null || primary == null || !serving.owns(refusal.child())) {
      refusal
          .reply()
          .complete(new ItemAnswer.Unavailable("the partition has no primary; try again"));
      return this;
    }
    serving.answered(refusal.child());
    if (refusal.answer() instanceof ItemAnswer.TooManyRequests
        || refusal.answer() instanceof ItemAnswer.Unavailable) {
      refusal.reply().complete(refusal.answer()); // says nothing about any item
      return this;
    }
    // L10: it may rest on a write that is not committed, or this primary may be deposed.
    outstanding.add(
        primary.joinRound(),
        primary.lastLsn(),
        () -> refusal.reply().complete(refusal.answer()),
        () -> refusal
            .reply()
            .complete(new ItemAnswer.Unavailable(
                "the primary of the partition stepped down; nothing was written;" + " try again")));
    flushSoon();
    return this;
  }

  private Behavior<Command> onReadIndex(ReadIndex read) {
    if (logical == null || primary == null) {
      if (waiting.size() >= node.settings().pendingWritesMax()) {
        read.reply().complete(Optional.empty());
      } else {
        waiting.add(read);
      }
      return this;
    }
    Lsn index = primary.commit();
    outstanding.add(
        primary.joinRound(),
        index,
        () -> read.reply().complete(Optional.of(index)),
        () -> read.reply().complete(Optional.empty()));
    flushSoon();
    return this;
  }

  /** What waited for a primary longer than its request lasts is told so. */
  private void expire(long now) {
    for (Command first = waiting.peek();
        first != null && deadline(first) <= now;
        first = waiting.peek()) {
      waiting.remove();
      refuse(
          first,
          primary != null && primary.phase() == Primary.Phase.LEAD
              ? tooFewReplicas()
              : members.reachable().size()
                  + " replicas of the partition answer, too few for a primary; nothing was written");
    }
  }

  private static long deadline(Command command) {
    if (command instanceof Write write) {
      return write.deadlineMillis();
    }
    return command instanceof ReadIndex read ? read.deadlineMillis() : Long.MIN_VALUE;
  }

  private static void refuse(Command command, String why) {
    if (command instanceof Write write) {
      write.reply().complete(new ItemAnswer.Unavailable(why));
    } else if (command instanceof ReadIndex read) {
      read.reply().complete(Optional.empty());
    }
  }

  private Behavior<Command> onGetStatus(GetStatus ask) {
    SortedMap<ReplicaId, Lsn> matches = new TreeMap<>();
    boolean leading = primary != null && primary.isLeading();
    if (primary != null && leading) {
      for (ReplicaId member : primary.configuration().members()) {
        matches.put(member, primary.match(member));
      }
    } else {
      members.reachable().forEach(member -> matches.put(member, Lsn.ZERO));
    }
    boolean writable =
        primary != null && leading && primary.configuration().isWriteQuorum(members::isReachable);
    ask.reply()
        .complete(new PartitionStatus(
            logical != null, writable, matches, Set.copyOf(members.reachable())));
    return this;
  }
}
