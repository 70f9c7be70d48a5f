package dev.partita.runtime.partitioning;

import dev.partita.runtime.model.PhysicalPartitionId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A container's ranges in keyspace order, without gap or overlap, with a version that grows with every
 * change. Look-ups are binary searches and allocate nothing.
 *
 * @param version 1 or more
 * @param ranges at least one; together they cover the keyspace from the empty text to {@code FF}
 */
public record RoutingMap(long version, List<PartitionKeyRange> ranges) {
  private static final int V2_KEYSPACE_BITS = 126;
  private static final int V1_KEYSPACE_BITS = 32;

  /**
   * @throws IllegalArgumentException if the ranges do not cover the keyspace exactly once, or an id occurs
   *     twice
   */
  public RoutingMap {
    ranges = List.copyOf(ranges);
    if (version < 1) {
      throw new IllegalArgumentException("a routing map's version is 1 or more, not " + version);
    }
    String end = EffectivePartitionKey.MIN.hex();
    for (PartitionKeyRange range : ranges) {
      if (!range.minInclusive().equals(end)) {
        throw new IllegalArgumentException("range " + range.id() + " begins at '"
            + range.minInclusive() + "', but the one before it ends at '" + end + "'");
      }
      end = range.maxExclusive();
      if (EffectivePartitionKey.parse(end)
          .filter(e -> e.hex().equals(range.maxExclusive()))
          .isEmpty()) {
        throw new IllegalArgumentException(
            "range " + range.id() + " ends at '" + end + "', which is not upper-case hexadecimal");
      }
    }
    if (!end.equals(EffectivePartitionKey.MAX.hex())) {
      throw new IllegalArgumentException("the ranges end at '" + end + "', not at 'FF'");
    }
    if (ranges.stream().mapToInt(PartitionKeyRange::id).distinct().count() < ranges.size()) {
      throw new IllegalArgumentException("two ranges have the same id");
    }
  }

  /**
   * The first routing map of a container: one range for each physical partition, of equal size (protocol
   * section 9), with the ids 0, 1, 2 in keyspace order.
   *
   * @param partitions at least one, in keyspace order
   */
  public static RoutingMap starting(
      PartitionKeyDefinition definition, List<PhysicalPartitionId> partitions) {
    int count = partitions.size();
    List<PartitionKeyRange> ranges = new ArrayList<>(count);
    for (int id = 0; id < count; id++) {
      ranges.add(new PartitionKeyRange(
          id,
          boundary(definition, id, count),
          boundary(definition, id + 1, count),
          partitions.get(id),
          List.of()));
    }
    return new RoutingMap(1, ranges);
  }

  /** Where the first {@code k} of {@code count} equal ranges end. */
  private static String boundary(PartitionKeyDefinition definition, int k, int count) {
    if (k == 0) {
      return EffectivePartitionKey.MIN.hex();
    } else if (k == count) {
      return EffectivePartitionKey.MAX.hex();
    }
    boolean ordered =
        definition.kind() == PartitionKeyDefinition.Kind.HASH && definition.version() == 1;
    BigInteger position = BigInteger.valueOf(k)
        .shiftLeft(ordered ? V1_KEYSPACE_BITS : V2_KEYSPACE_BITS)
        .divide(BigInteger.valueOf(count));
    return ordered
        ? HexFormat.of().withUpperCase().formatHex(KeyHash.orderedNumber(position.doubleValue()))
        : String.format("%032X", position);
  }

  /**
   * The range that a key falls into.
   *
   * @throws IllegalArgumentException for a position at or after {@code FF}, where no key is
   */
  public PartitionKeyRange rangeOf(EffectivePartitionKey key) {
    if (key.compareTo(EffectivePartitionKey.MAX) >= 0) {
      throw new IllegalArgumentException("no key has the position " + key);
    }
    return ranges.get(indexOf(key));
  }

  /**
   * The ranges that have positions from {@code minInclusive} on and before {@code maxExclusive}, in keyspace
   * order; none when that interval is empty.
   */
  public List<PartitionKeyRange> overlapping(
      EffectivePartitionKey minInclusive, EffectivePartitionKey maxExclusive) {
    if (minInclusive.compareTo(maxExclusive) >= 0
        || minInclusive.compareTo(EffectivePartitionKey.MAX) >= 0) {
      return List.of();
    }
    int last = indexOf(maxExclusive);
    boolean reachesIntoLast = maxExclusive.compareToHex(ranges.get(last).minInclusive()) > 0;
    return ranges.subList(indexOf(minInclusive), reachesIntoLast ? last + 1 : last);
  }

  /** The live range of that id; a range that has split is not one. */
  public Optional<PartitionKeyRange> byId(int id) {
    for (PartitionKeyRange range : ranges) {
      if (range.id() == id) {
        return Optional.of(range);
      }
    }
    return Optional.empty();
  }

  /** Index of the last range that begins at or before a position. */
  private int indexOf(EffectivePartitionKey key) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (key.compareToHex(ranges.get(middle).minInclusive()) < 0) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }
}
