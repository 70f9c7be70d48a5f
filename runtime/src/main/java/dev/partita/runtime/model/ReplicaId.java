package dev.partita.runtime.model;

import java.util.Comparator;

/**
 * One replica, for ever: after it left its replica set the same id never returns (replication.md
 * section 3).
 *
 * @param partition the physical partition it belongs to
 * @param store uid of the store that holds it
 * @param incarnation catalog LSN of the entry that allocated it
 */
public record ReplicaId(PhysicalPartitionId partition, Uid store, long incarnation)
    implements Comparable<ReplicaId> {
  private static final Comparator<ReplicaId> ORDER = Comparator.comparing(ReplicaId::partition)
      .thenComparing(ReplicaId::store)
      .thenComparingLong(ReplicaId::incarnation);

  @Override
  public int compareTo(ReplicaId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return partition + "@" + store.toString().substring(0, 8) + "#" + incarnation;
  }
}
