package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import java.util.ArrayList;
import java.util.List;

/**
 * A contiguous run of entries in memory, behind a known position: the log of a replica, or what a primary
 * keeps of it. Checks what holds along every log (I2, I19). LSNs are plain longs here: this is the hot path.
 */
final class Log {
  private Entry[] ring = new Entry[64];
  /** Running total of entry sizes through each entry, parallel to {@link #ring}. */
  private long[] ends = new long[64];

  private int head;
  private int size;
  private long before;
  private Epoch beforeEpoch;
  private long beforeTime;
  private long beforeEnd;

  /** An empty run behind {@code before}. */
  Log(long before, Epoch beforeEpoch, long beforeTime) {
    this.before = before;
    this.beforeEpoch = beforeEpoch;
    this.beforeTime = beforeTime;
  }

  /** LSN of the oldest entry in memory, or where it would be. */
  long first() {
    return before + 1;
  }

  long last() {
    return before + size;
  }

  Epoch lastEpoch() {
    return epochAt(last());
  }

  /** Whether {@link #epochAt} knows the position. */
  boolean knows(long lsn) {
    return lsn >= before && lsn <= last();
  }

  Epoch epochAt(long lsn) {
    return lsn == before ? beforeEpoch : get(lsn).epoch();
  }

  long timeAt(long lsn) {
    return lsn == before ? beforeTime : get(lsn).logTime();
  }

  Entry get(long lsn) {
    return ring[slot(lsn)];
  }

  /** Size of the entries above {@code after}, through {@code through}. */
  long bytes(long after, long through) {
    return endAt(through) - endAt(after);
  }

  void append(Entry entry) {
    Epoch lastEpoch = lastEpoch();
    if (entry.lsn().value() != last() + 1) {
      throw new InvariantViolation("I2", entry + " after " + last());
    }
    if (entry.epoch().compareTo(lastEpoch) < 0) {
      throw new InvariantViolation("I2", entry + " after an entry of " + lastEpoch);
    }
    if (entry.logTime() < timeAt(last())) {
      throw new InvariantViolation("I19", entry + " is older than the entry before");
    }
    if (size == ring.length) {
      grow();
    }
    long end = endAt(last()) + entry.sizeBytes();
    size++;
    int slot = slot(last());
    ring[slot] = entry;
    ends[slot] = end;
  }

  /** Forgets the entries from {@code lsn} on. */
  void cutFrom(long lsn) {
    while (last() >= lsn) {
      ring[slot(last())] = null;
      size--;
    }
  }

  /** Forgets the oldest entries, through {@code lsn}. */
  void dropThrough(long lsn) {
    while (before < lsn) {
      int slot = head;
      beforeEpoch = ring[slot].epoch();
      beforeTime = ring[slot].logTime();
      beforeEnd = ends[slot];
      ring[slot] = null;
      head = (head + 1) & (ring.length - 1);
      before++;
      size--;
    }
  }

  /** Forgets the oldest entries as long as those through {@code through} take more than {@code bytesMax}. */
  void dropOldest(long through, long bytesMax) {
    while (before < through && bytes(before, through) > bytesMax) {
      dropThrough(before + 1);
    }
  }

  /** Entries from {@code from} through {@code through}, at least one if there is one, within the limits. */
  List<Entry> slice(long from, long through, int entriesMax, long bytesMax) {
    long end = Math.min(Math.min(through, last()), from + entriesMax - 1L);
    if (end < from) {
      return List.of();
    }
    var slice = new ArrayList<Entry>((int) (end - from + 1));
    long bytes = 0;
    for (long lsn = from; lsn <= end; lsn++) {
      var entry = get(lsn);
      bytes += entry.sizeBytes();
      if (bytes > bytesMax && !slice.isEmpty()) {
        break;
      }
      slice.add(entry);
    }
    return List.copyOf(slice);
  }

  /** All entries above {@code after}. */
  List<Entry> above(long after) {
    return slice(after + 1, last(), Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  private long endAt(long lsn) {
    return lsn == before ? beforeEnd : ends[slot(lsn)];
  }

  private int slot(long lsn) {
    long index = lsn - before - 1;
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(lsn + " of " + first() + ".." + last());
    }
    return (head + (int) index) & (ring.length - 1);
  }

  private void grow() {
    var entries = new Entry[ring.length * 2];
    var totals = new long[ring.length * 2];
    for (int i = 0; i < size; i++) {
      int slot = (head + i) & (ring.length - 1);
      entries[i] = ring[slot];
      totals[i] = ends[slot];
    }
    ring = entries;
    ends = totals;
    head = 0;
  }
}
