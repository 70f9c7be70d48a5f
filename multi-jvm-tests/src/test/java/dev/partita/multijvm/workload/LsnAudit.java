package dev.partita.multijvm.workload;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The LSNs of a round. An LSN is given once; and those of acknowledged writes may leave out only as many as there were
 * writes with an unknown outcome, for every LSN is the write of somebody. Safe for many threads.
 */
public final class LsnAudit {
  private final Map<String, TreeSet<Long>> acknowledged = new TreeMap<>();
  private final Map<String, Long> highest = new TreeMap<>(); // of all rounds
  private int unknown;

  synchronized void acknowledged(SessionToken token) {
    boolean first =
        acknowledged.computeIfAbsent(token.range(), range -> new TreeSet<>()).add(token.lsn());
    if (!first) {
      throw new AssertionError("two writes have LSN " + token.lsn() + " of range " + token.range());
    }
  }

  synchronized void unknown() {
    unknown++;
  }

  /** The highest acknowledged LSN of each range, of all rounds so far. */
  public synchronized Map<String, Long> highest() {
    acknowledged.forEach((range, lsns) -> highest.merge(range, lsns.last(), Math::max));
    return new TreeMap<>(highest);
  }

  /**
   * Ends a round.
   *
   * @throws AssertionError if LSNs are missing, or fell below those of an earlier round
   */
  public synchronized void endRound() {
    long missing = 0;
    for (var range : acknowledged.entrySet()) {
      var lsns = range.getValue();
      missing += lsns.last() - lsns.first() + 1 - lsns.size();
      long before = highest.getOrDefault(range.getKey(), 0L);
      if (lsns.first() <= before) {
        throw new AssertionError(
            "range " + range.getKey() + " gave LSN " + lsns.first() + " again, after " + before);
      }
    }
    if (missing > unknown) {
      throw new AssertionError(missing + " LSNs are missing, but only " + unknown
          + " writes are unknown: " + acknowledged);
    }
    highest();
    acknowledged.clear();
    unknown = 0;
  }
}
