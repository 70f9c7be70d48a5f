package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a replica set: what it promised, its log, and how far that is committed and applied
 * (replication.md section 5). Event-sourced; holds no data but entries, and does no I/O.
 *
 * <p>A shell drives it so:
 *
 * <pre>{@code
 * replica = Replica.recover(...); for each journaled event: replica.apply(event);
 * replica.recovered() -> an event to persist before the first message, rarely
 * decision = replica.receive(message, now);
 * persist(decision.event()): event handler: replica.apply(event); when durable: replica.flushed(event);
 * then send decision.answer()
 * }</pre>
 *
 * <p>A replica is ahead of its journal: {@link #receive} accepts at once, so that a Promise reports entries
 * that are still on their way to the disk (R1.6) even in a shell that has several events under way. What
 * leaves the replica waits: an answer for its {@link Decision#after}, an entry for {@link #flushed}. A shell
 * whose journal fails throws the replica away (J4).
 */
public final class Replica {
  private final Optional<Base> stored;
  private final ReplicaState state;
  private final Snapshots snapshots;
  private final Acceptor acceptor;
  private boolean recovering = true;
  private @Nullable String quarantine;

  private Replica(ReplicaId self, Uid clusterId, Optional<Base> stored, ReplicaSettings settings) {
    this.stored = stored;
    this.state = new ReplicaState(self, clusterId, settings);
    this.snapshots = new Snapshots(state);
    this.acceptor = new Acceptor(state, snapshots);
  }

  /**
   * A replica before its journal is replayed; empty until then (R7, learner).
   *
   * @param stored the mark found in the store, if there is one
   */
  public static Replica recover(
      ReplicaId self, Uid clusterId, Optional<Base> stored, ReplicaSettings settings) {
    return new Replica(self, clusterId, stored, settings);
  }

  /**
   * Replays a journaled event, or takes note that one from {@link #receive} is being journaled, which changes
   * nothing: so it may serve as an event handler that runs before the write.
   */
  public void apply(ReplicaEvent event) {
    if (recovering) {
      state.replay(event);
    } else if (!state.unflushed.contains(event)) {
      throw new InvariantViolation("J2", self() + " made no such event: " + event);
    }
  }

  /**
   * Ends the replay (R11). A replica that finds its journal and its store in contradiction is quarantined.
   *
   * @return an event to be persisted first, if the store was ahead of the journal
   */
  public Optional<ReplicaEvent> recovered() {
    recovering = false;
    state.unflushed.reset(state.last());
    var history = state.history;
    if (stored.isPresent()) {
      return meetStore(history, stored.get());
    }
    if (history != null && history.base().lsn().value() > 0) {
      quarantine(
          "the store has lost everything up to the base at " + history.base().lsn());
    }
    return Optional.empty();
  }

  /** R11.2: what the store holds is committed; what the log lacks of it is taken from there. */
  private Optional<ReplicaEvent> meetStore(@Nullable History history, Base mark) {
    if (history != null) {
      int behind = mark.lsn().compareTo(history.base().lsn());
      if (behind < 0) {
        quarantine("the store holds " + mark.lsn() + ", the log starts at "
            + history.base().lsn());
        return Optional.empty();
      }
      if (mark.historyId() != history.base().historyId() || (behind == 0 && !history.holds(mark))) {
        quarantine("the store and the log contradict each other at " + mark.lsn());
        return Optional.empty();
      }
    }
    state.applied = mark.lsn().value();
    state.commit = state.applied;
    if (history != null && history.holds(mark)) {
      return Optional.empty();
    }
    var promised = Epoch.max(state.promised, mark.epoch());
    return Optional.of(state.make(new ReplicaEvent.Rebased(promised, mark, List.of())));
  }

  /** Makes an empty replica an initial voter (R7, B1); nothing if it is installed already. */
  public Optional<ReplicaEvent> initialVoter(Configuration first, long historyId) {
    if (isInstalled() || quarantine != null) {
      return Optional.empty();
    }
    var base = Base.initial(first, historyId);
    return Optional.of(state.make(new ReplicaEvent.Rebased(state.promised, base, List.of())));
  }

  /**
   * Handles one message.
   *
   * @param now monotonic clock in milliseconds
   */
  public Decision receive(ToReplica message, long now) {
    if (!message.clusterId().equals(state.clusterId)) {
      return Decision.drop(DropReason.WRONG_CLUSTER);
    }
    if (!message.partition().equals(self().partition())) {
      return Decision.drop(DropReason.WRONG_PARTITION);
    }
    if (message instanceof ToReplica.ToOne one && !one.to().equals(self())) {
      return Decision.drop(DropReason.WRONG_REPLICA); // R0
    }
    if (quarantine != null) {
      return state.refuse(message.epoch(), RefusalReason.QUARANTINED);
    }
    if (snapshots.isSwitching()) {
      return Decision.drop(DropReason.INSTALLING);
    }
    state.now = now;
    return message.accept(acceptor);
  }

  /** The event is durable; events are so in the order in which they were made. */
  public void flushed(ReplicaEvent event) {
    state.unflushed.flushed(event);
  }

  /** How many events became durable since {@link #recovered}. */
  public long eventsFlushed() {
    return state.unflushed.flushed();
  }

  /**
   * The next entries for the store: committed, durable here, not applied (R10), in order.
   *
   * @param bytesMax at least one entry is given even if it is larger
   */
  public List<Entry> toApply(int entriesMax, long bytesMax) {
    if (state.history == null || isAtRest()) {
      return List.of();
    }
    long through = Math.min(state.commit, state.unflushed.durable());
    return state.history.log().slice(state.applied + 1, through, entriesMax, bytesMax);
  }

  /** What the store writes in the same batch as the entries through {@code lsn} of {@link #toApply}. */
  public Base markAt(Lsn lsn) {
    return state.installed().at(lsn.value());
  }

  /** The store holds everything through {@code through}, visible to reads though perhaps not synced. */
  public void applied(Lsn through) {
    long lsn = through.value();
    if (lsn < state.applied || lsn > state.commit || lsn > state.unflushed.durable()) {
      throw new InvariantViolation(
          "I4",
          "applied goes from " + state.applied + " to " + lsn + ", committed " + state.commit
              + ", durable " + state.unflushed.durable());
    }
    state.applied = lsn;
  }

  /**
   * Lets go of the log's older part when that is worthwhile (R12).
   *
   * @param synced the store holds everything through this LSN durably
   * @return the event to be persisted; what was journaled before may be deleted when it is durable
   */
  public Optional<ReplicaEvent> rebase(Lsn synced) {
    if (state.history == null || isAtRest()) {
      return Optional.empty();
    }
    var log = state.history.log();
    long from = state.history.base().lsn().value();
    long through = Math.min(synced.value(), state.applied);
    if (through <= from) {
      return Optional.empty();
    }
    long freed = log.bytes(from, through);
    boolean enough =
        freed >= state.settings.rebaseBytes() || through - from >= state.settings.rebaseEntries();
    if (!enough || log.bytes(through, log.last()) > freed) {
      return Optional.empty();
    }
    var base = state.history.at(through);
    return Optional.of(
        state.make(new ReplicaEvent.Rebased(state.promised, base, log.above(through))));
  }

  /** The store was switched to the snapshot of a {@link SnapshotWork.Switch} and synced (R6.3). */
  public Decision installed(Uid transferId) {
    return snapshots.installed(transferId);
  }

  /** Nothing is taken from the log while it may not fit the store. */
  private boolean isAtRest() {
    return quarantine != null || snapshots.isSwitching();
  }

  /** From now on the replica answers only that it is quarantined (14.1). */
  public void quarantine(String reason) {
    quarantine = reason;
  }

  /** Why the replica is quarantined, if it is. */
  public Optional<String> quarantined() {
    return Optional.ofNullable(quarantine);
  }

  /** For those who watch over replicas from close by. */
  ReplicaState state() {
    return state;
  }

  public ReplicaId self() {
    return state.self;
  }

  /** Whether it has a base; an empty replica only promises. */
  public boolean isInstalled() {
    return state.history != null;
  }

  public Epoch promised() {
    return state.promised;
  }

  /** The last entry accepted, durable or not. */
  public Lsn lastLsn() {
    return new Lsn(state.last());
  }

  public Lsn commit() {
    return new Lsn(state.commit);
  }

  public Lsn applied() {
    return new Lsn(state.applied);
  }

  /**
   * Where the log starts.
   *
   * @throws IllegalStateException if the replica is empty
   */
  public Base base() {
    return state.installed().base();
  }

  /** In force: that of the last CONFIG entry, committed or not; absent if the replica is empty. */
  public Optional<Configuration> configuration() {
    return Optional.ofNullable(state.history).map(History::configuration);
  }
}
