package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.List;
import java.util.Optional;

/**
 * Who would order the writes of one replica set (replication.md section 6). All of it is volatile: an attempt
 * starts from nothing but what replicas answer (L1), and ends at the first sign of a successor.
 *
 * <p>A shell calls {@link #start}, feeds answers to {@link #receive}, calls {@link #tick} every
 * {@link PrimarySettings#heartbeatMillis} or more often, and {@link #flush} when it has proposed or joined
 * what its mailbox held. It performs the actions of each step in order.
 */
public final class Primary {
  /** Where an attempt stands. */
  public enum Phase {
    /** Not started, or stepped down. */
    IDLE,
    /** Asks who is there (L2). */
    PROBE,
    /** Asks for promises (L3). */
    PREPARE,
    /** Fetches what it will continue (L4). */
    FETCH,
    /** Orders and commits (L5 to L10). */
    LEAD
  }

  /**
   * A primary that has not started.
   *
   * @param local the replica on this node: preferred to fetch from, and counted as any other
   */
  public Primary(
      Uid clusterId,
      PhysicalPartitionId partition,
      Optional<ReplicaId> local,
      PrimarySettings settings) {
    throw new UnsupportedOperationException();
  }

  /**
   * Begins an attempt and forgets any earlier one (L1).
   *
   * @param now monotonic clock in milliseconds
   */
  public Step start(Attempt attempt, long now) {
    throw new UnsupportedOperationException();
  }

  /** Takes one answer. */
  public Step receive(FromReplica answer, long now) {
    throw new UnsupportedOperationException();
  }

  /** Repeats what was lost, heartbeats, and notices that nobody answers (L2, L8, L14). */
  public Step tick(long now) {
    throw new UnsupportedOperationException();
  }

  /**
   * Appends an entry to the log; {@link #flush} sends it. The caller has checked what L9 says, in that order,
   * and serves (L7).
   *
   * @param clockMillis wall clock; the log time is never below that of the entry before
   * @return where the entry is; acknowledge it when that is committed
   * @throws IllegalStateException if this is no primary ({@link #isLeading}), or for a CONFIG entry while
   *     one is uncommitted (L13)
   */
  public Lsn propose(EntryKind kind, Bytes body, long clockMillis) {
    throw new UnsupportedOperationException();
  }

  /** Sends what waits, as far as the pipelines allow: entries (L8) and confirm rounds (S-L). */
  public Step flush(long now) {
    throw new UnsupportedOperationException();
  }

  /**
   * Joins the next confirm round (S-L, L10): one that has not been sent. Answer when
   * {@link Action.RoundConfirmed} names it or a later one, and the local replica has applied the
   * {@link #commit} of the time of joining; for a negative answer, when also the {@link #lastLsn} of that
   * time is committed.
   *
   * @throws IllegalStateException if this is no primary
   */
  public long joinRound() {
    throw new UnsupportedOperationException();
  }

  /** The replica's host or actor is gone; nothing is sent to it until it is found. */
  public void memberLost(ReplicaId member) {
    throw new UnsupportedOperationException();
  }

  /** The replica can be reached (again). */
  public Step memberFound(ReplicaId member, long now) {
    throw new UnsupportedOperationException();
  }

  /** Steps down for a successor (H2): tells the last commit to everybody. */
  public Step stop(long now) {
    throw new UnsupportedOperationException();
  }

  public Phase phase() {
    throw new UnsupportedOperationException();
  }

  /** Whether entries may be proposed and rounds joined. */
  public boolean isLeading() {
    throw new UnsupportedOperationException();
  }

  /** Whether its own first entry is committed; then L7 asks only for the local replica to have applied it. */
  public boolean isEstablished() {
    throw new UnsupportedOperationException();
  }

  /** Of the attempt under way; zero before it has one. */
  public Epoch epoch() {
    throw new UnsupportedOperationException();
  }

  public Lsn commit() {
    throw new UnsupportedOperationException();
  }

  /** The last entry of the log, committed or not. */
  public Lsn lastLsn() {
    throw new UnsupportedOperationException();
  }

  /**
   * Entries above {@code after}, adopted ones included, from the memory of the primary.
   *
   * @param after {@link #commit} or more
   */
  public List<Entry> entriesAfter(Lsn after) {
    throw new UnsupportedOperationException();
  }

  /**
   * In force in the log, committed or not (C5).
   *
   * @throws IllegalStateException if this is no primary
   */
  public Configuration configuration() {
    throw new UnsupportedOperationException();
  }

  /** Through where {@code member} is known to hold the log durably, in this epoch; zero if nothing is. */
  public Lsn match(ReplicaId member) {
    throw new UnsupportedOperationException();
  }
}
