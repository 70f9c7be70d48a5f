package dev.partita.runtime.replication;

import java.util.ArrayDeque;

/**
 * The events of one replica that are on their way to the disk, in order, and how much of its log is durable
 * in the meantime (J1, I6).
 */
final class Unflushed {
  /** What an event leaves of the log: it changes nothing below {@code from}, and ends at {@code last}. */
  private record Change(ReplicaEvent event, long from, long last) {}

  private final ArrayDeque<Change> queue = new ArrayDeque<>();
  private long made;
  private long flushed;
  private long durable;

  /** Everything through {@code last} is durable. */
  void reset(long last) {
    durable = last;
  }

  void add(ReplicaEvent event, long from, long last) {
    queue.addLast(new Change(event, from, last));
    made++;
    durable = Math.min(durable, from - 1);
  }

  /** Takes the oldest event out; it must be this one. */
  void flushed(ReplicaEvent event) {
    var change = queue.pollFirst();
    if (change == null || change.event() != event) {
      throw new InvariantViolation("I6", event + " became durable before its turn");
    }
    flushed++;
    long through = change.last();
    for (var later : queue) {
      through = Math.min(through, later.from() - 1);
    }
    durable = Math.max(durable, through);
  }

  boolean contains(ReplicaEvent event) {
    for (var change : queue) {
      if (change.event() == event) {
        return true;
      }
    }
    return false;
  }

  /** How many events must be durable before something may leave that depends on all of them. */
  long made() {
    return made;
  }

  long flushed() {
    return flushed;
  }

  /** The log is durable through here. */
  long durable() {
    return durable;
  }
}
