package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.List;
import java.util.Optional;

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
  /**
   * A replica before its journal is replayed; empty until then (R7, learner).
   *
   * @param stored the mark found in the store, if there is one
   */
  public static Replica recover(
      ReplicaId self, Uid clusterId, Optional<Base> stored, ReplicaSettings settings) {
    throw new UnsupportedOperationException();
  }

  /**
   * Replays a journaled event, or takes note that one from {@link #receive} is being journaled, which changes
   * nothing: so it may serve as an event handler that runs before the write.
   */
  public void apply(ReplicaEvent event) {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends the replay (R11). A replica that finds its journal and its store in contradiction is quarantined.
   *
   * @return an event to be persisted first, if the store was ahead of the journal
   */
  public Optional<ReplicaEvent> recovered() {
    throw new UnsupportedOperationException();
  }

  /** Makes an empty replica an initial voter (R7, B1); nothing if it is installed already. */
  public Optional<ReplicaEvent> initialVoter(Configuration first, long historyId) {
    throw new UnsupportedOperationException();
  }

  /**
   * Handles one message.
   *
   * @param now monotonic clock in milliseconds
   */
  public Decision receive(ToReplica message, long now) {
    throw new UnsupportedOperationException();
  }

  /** The event is durable; events are so in the order in which they were made. */
  public void flushed(ReplicaEvent event) {
    throw new UnsupportedOperationException();
  }

  /** How many events became durable since {@link #recovered}. */
  public long eventsFlushed() {
    throw new UnsupportedOperationException();
  }

  /**
   * The next entries for the store: committed, durable here, not applied (R10), in order.
   *
   * @param bytesMax at least one entry is given even if it is larger
   */
  public List<Entry> toApply(int entriesMax, long bytesMax) {
    throw new UnsupportedOperationException();
  }

  /** What the store writes in the same batch as the entries through {@code lsn} of {@link #toApply}. */
  public Base markAt(Lsn lsn) {
    throw new UnsupportedOperationException();
  }

  /** The store holds everything through {@code through}, visible to reads though perhaps not synced. */
  public void applied(Lsn through) {
    throw new UnsupportedOperationException();
  }

  /**
   * Lets go of the log's older part when that is worthwhile (R12).
   *
   * @param synced the store holds everything through this LSN durably
   * @return the event to be persisted; what was journaled before may be deleted when it is durable
   */
  public Optional<ReplicaEvent> rebase(Lsn synced) {
    throw new UnsupportedOperationException();
  }

  /** The store was switched to the snapshot of a {@link SnapshotWork.Switch} and synced (R6.3). */
  public Decision installed(Uid transferId) {
    throw new UnsupportedOperationException();
  }

  /** From now on the replica answers only that it is quarantined (14.1). */
  public void quarantine(String reason) {
    throw new UnsupportedOperationException();
  }

  /** Why the replica is quarantined, if it is. */
  public Optional<String> quarantined() {
    throw new UnsupportedOperationException();
  }

  public ReplicaId self() {
    throw new UnsupportedOperationException();
  }

  /** Whether it has a base; an empty replica only promises. */
  public boolean isInstalled() {
    throw new UnsupportedOperationException();
  }

  public Epoch promised() {
    throw new UnsupportedOperationException();
  }

  /** The last entry accepted, durable or not. */
  public Lsn lastLsn() {
    throw new UnsupportedOperationException();
  }

  public Lsn commit() {
    throw new UnsupportedOperationException();
  }

  public Lsn applied() {
    throw new UnsupportedOperationException();
  }

  /**
   * Where the log starts.
   *
   * @throws IllegalStateException if the replica is empty
   */
  public Base base() {
    throw new UnsupportedOperationException();
  }

  /** In force: that of the last CONFIG entry, committed or not; absent if the replica is empty. */
  public Optional<Configuration> configuration() {
    throw new UnsupportedOperationException();
  }
}
