package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;

/**
 * A point of committed history and what must be known of everything up to it: where a log starts
 * (replication.md 4.2, {@code base}), what a store has applied ({@code applied}, written in the batch of the
 * data it describes), and what a snapshot is labelled with (R5).
 *
 * @param lsn zero at the birth of a replica set
 * @param epoch of the entry at {@code lsn}
 * @param config in force at {@code lsn}
 * @param configLsn LSN of the entry that brought it; zero for the first
 * @param logTime of the entry at {@code lsn}, in milliseconds
 * @param historyId of the replica set; changes only by forced recovery
 */
public record Base(
    Lsn lsn, Epoch epoch, Configuration config, Lsn configLsn, long logTime, long historyId) {
  public Base {
    if (configLsn.isAfter(lsn)) {
      throw new IllegalArgumentException("a configuration of " + configLsn + " in force at " + lsn);
    }
  }

  /** Where the log of a new replica set starts (R7, B1). */
  public static Base initial(Configuration config, long historyId) {
    return new Base(Lsn.ZERO, Epoch.ZERO, config, Lsn.ZERO, 0, historyId);
  }
}
