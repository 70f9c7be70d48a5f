package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import java.util.List;
import java.util.TreeMap;

/** What a journal says, read in the plainest way: the simulation's own idea of what is durable. */
final class DurableLog {
  private Epoch promised = Epoch.ZERO;
  private long base = -1;
  private Epoch baseEpoch = Epoch.ZERO;
  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  void add(ReplicaEvent event) {
    if (event instanceof ReplicaEvent.Promised promise) {
      raise(promise.epoch());
    } else if (event instanceof ReplicaEvent.Appended appended) {
      raise(appended.epoch());
      entries.tailMap(appended.from().value(), true).clear();
      put(appended.entries());
    } else if (event instanceof ReplicaEvent.Rebased rebased) {
      raise(rebased.promised());
      base = rebased.base().lsn().value();
      baseEpoch = rebased.base().epoch();
      entries.clear();
      put(rebased.suffix());
    }
  }

  private void raise(Epoch epoch) {
    Observer.check(epoch.compareTo(promised) >= 0, "I1: the journal's promise fell to %s", epoch);
    promised = epoch;
  }

  private void put(List<Entry> fresh) {
    for (var entry : fresh) {
      Observer.check(entry.lsn().value() == last() + 1, "I2: %s after %s", entry, last());
      Observer.check(
          entry.epoch().compareTo(lastEpoch()) >= 0, "I2: %s after %s", entry, lastEpoch());
      entries.put(entry.lsn().value(), entry);
    }
  }

  Epoch promised() {
    return promised;
  }

  long last() {
    return entries.isEmpty() ? Math.max(base, 0) : entries.lastKey();
  }

  Epoch lastEpoch() {
    return entries.isEmpty() ? baseEpoch : entries.lastEntry().getValue().epoch();
  }

  /** Whether this entry is here, be it beneath the base. */
  boolean holds(Entry entry) {
    var own = entries.get(entry.lsn().value());
    return own == null ? entry.lsn().value() <= base : own.equals(entry);
  }

  Entry at(long lsn) {
    return entries.get(lsn);
  }
}
