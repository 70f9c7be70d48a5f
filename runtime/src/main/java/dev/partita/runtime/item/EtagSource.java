package dev.partita.runtime.item;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;

/** Gives every write of a container an etag that no other write of it ever had. Thread-safe. */
@FunctionalInterface
public interface EtagSource {
  /** A new etag: 36 characters in quotes. */
  String next();

  /**
   * The etags that a primary gives in its epoch. They hold the number of the range, bits of the attempt
   * and a counter that starts above all that the log already holds: two primaries of a range give the same
   * etag at most if neither knew of the other and they drew the same bits, and then only one of the two
   * writes can commit.
   *
   * @param rangeId of the partition key range, whose ids are never used again in the container
   * @param epoch of the primary
   * @param last the last position of the log when the epoch begins
   */
  static EtagSource of(int rangeId, Epoch epoch, Lsn last) {
    return new EpochEtags(rangeId, epoch, last);
  }
}
