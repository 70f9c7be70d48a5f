package dev.partita.runtime.partitioning;

import java.util.List;

/**
 * A container's ranges in keyspace order, without gap or overlap, with a version that grows with every
 * change.
 *
 * @param version 1 or more
 * @param ranges at least one
 */
public record RoutingMap(long version, List<PartitionKeyRange> ranges) {
  public RoutingMap {
    ranges = List.copyOf(ranges);
  }
}
