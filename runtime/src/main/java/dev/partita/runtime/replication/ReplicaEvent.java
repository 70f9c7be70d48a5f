package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import java.util.List;

/** What a {@link Replica} journals (J2). Replaying all of them in order rebuilds its durable state. */
public sealed interface ReplicaEvent {
  /** The replica accepts nothing below {@code epoch} any more. */
  record Promised(Epoch epoch) implements ReplicaEvent {}

  /**
   * The log was cut at {@code from} and continued with {@code entries}; {@code epoch} is promised with it.
   *
   * @param entries at least one; the first has LSN {@code from}
   */
  record Appended(Epoch epoch, Lsn from, List<Entry> entries) implements ReplicaEvent {
    public Appended {
      entries = List.copyOf(entries);
      if (entries.isEmpty() || !entries.get(0).lsn().equals(from)) {
        throw new IllegalArgumentException("entries from " + from + ", not " + entries);
      }
    }
  }

  /**
   * Stands for everything journaled before: once it is durable, older events may be deleted.
   *
   * @param promised never below what was promised before
   * @param base what the store holds durably at least
   * @param suffix the log above {@code base}, possibly empty
   */
  record Rebased(Epoch promised, Base base, List<Entry> suffix) implements ReplicaEvent {
    public Rebased {
      suffix = List.copyOf(suffix);
    }
  }
}
