package dev.partita.runtime.replication;

import dev.partita.runtime.model.ReplicaId;
import org.jspecify.annotations.Nullable;

/** How far one member of the configuration is, as its primary knows it (4.3, L8). */
final class Member {
  /** How a member is brought to the end of the log. */
  enum Mode {
    /** By Appends from the primary's memory. */
    APPEND,
    /** By Appends of entries that another replica still has. */
    FETCH,
    /** By a snapshot of another replica's store. */
    SNAPSHOT
  }

  final ReplicaId id;
  Mode mode = Mode.APPEND;
  boolean reachable = true;
  /** Durable there and equal to the log of this epoch through here. */
  long match;
  /** What to send next. */
  long next;
  /** The newest confirm round it answered. */
  long confirmed;
  /** The newest commit it was told. */
  long told;

  long heardAt;
  long appendedAt;
  /** When the other replica was asked, in the modes that need one. */
  long askedAt;

  @Nullable
  ReplicaId source;

  /** Whether what the source answered is on its way to the member. */
  boolean forwarded;

  boolean alarmed;
  private int misses;
  /** Ends of the batches under way, oldest first. */
  private final long[] underWay;

  private int batches;

  Member(ReplicaId id, int pipelineDepth, long match, long next, long now) {
    this.id = id;
    this.underWay = new long[pipelineDepth];
    this.match = match;
    this.next = next;
    this.heardAt = now;
    this.appendedAt = now;
  }

  /** Whether one more batch may go out; just one at a time after a mismatch. */
  boolean hasRoom() {
    return batches < (misses > 0 ? 1 : underWay.length);
  }

  boolean isIdle() {
    return batches == 0;
  }

  void sent(long through) {
    underWay[batches++] = through;
    next = through + 1;
  }

  /** It holds the log through {@code lsn}; acknowledgements arrive in any order. */
  void holds(long lsn) {
    match = Math.max(match, lsn);
    next = Math.max(next, match + 1);
    misses = 0;
    int done = 0;
    while (done < batches && underWay[done] <= match) {
      done++;
    }
    batches -= done;
    System.arraycopy(underWay, done, underWay, 0, batches);
  }

  /**
   * Goes back to where the logs may meet (L8), in growing strides where they differ, so that a long tail of a
   * dead primary does not take a message for each entry. Answers whether it went back.
   */
  boolean mismatched(long prev, long hint) {
    if (prev <= match || (mode != Mode.APPEND && hint + 1 >= next)) {
      return false; // late, or an empty Append sent while the entries themselves are sought
      // elsewhere
    }
    long stride = hint == prev - 1 ? Math.min(hint, (1L << Math.min(misses, 20)) - 1) : 0;
    next = Math.max(match + 1, Math.min(next, hint + 1 - stride));
    misses++;
    batches = 0;
    return true;
  }

  /** What was under way is lost, as far as anybody knows; what it holds may be unknown as well. */
  void rewind(long lastLsn) {
    mode = Mode.APPEND;
    next = (match > 0 ? match : lastLsn) + 1;
    batches = 0;
    misses = 0;
  }
}
