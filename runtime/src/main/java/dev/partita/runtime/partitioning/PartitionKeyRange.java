package dev.partita.runtime.partitioning;

import dev.partita.runtime.model.PhysicalPartitionId;
import java.util.List;

/**
 * A piece of a container's keyspace and the physical partition that owns it.
 *
 * @param id number of the range in its container, from 0, never used again; clients see it as text
 * @param minInclusive upper-case hexadecimal, empty for the lowest
 * @param maxExclusive upper-case hexadecimal, {@code FF} for the highest
 * @param partition who owns it
 * @param parents ids of all ancestors, oldest first
 */
public record PartitionKeyRange(
    int id,
    String minInclusive,
    String maxExclusive,
    PhysicalPartitionId partition,
    List<Integer> parents) {
  public PartitionKeyRange {
    parents = List.copyOf(parents);
    if (minInclusive.compareTo(maxExclusive) >= 0) {
      throw new IllegalArgumentException(
          "an empty range: [" + minInclusive + "," + maxExclusive + ")");
    }
  }

  /** Whether an effective partition key, as hexadecimal text, falls into this range. */
  public boolean contains(String effectivePartitionKey) {
    return minInclusive.compareTo(effectivePartitionKey) <= 0
        && effectivePartitionKey.compareTo(maxExclusive) < 0;
  }
}
