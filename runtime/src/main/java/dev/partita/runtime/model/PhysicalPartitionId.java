package dev.partita.runtime.model;

/**
 * Names a physical partition, and with it its replica set; allocated by the catalog, never used again.
 *
 * @param value 1 or more; 1 is the system partition that holds the catalog
 */
public record PhysicalPartitionId(long value) implements Comparable<PhysicalPartitionId> {
  public static final PhysicalPartitionId SYSTEM = new PhysicalPartitionId(1);

  public PhysicalPartitionId {
    if (value < 1) {
      throw new IllegalArgumentException("a physical partition id is 1 or more, not " + value);
    }
  }

  @Override
  public int compareTo(PhysicalPartitionId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "p" + value;
  }
}
