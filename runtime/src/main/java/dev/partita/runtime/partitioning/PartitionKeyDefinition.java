package dev.partita.runtime.partitioning;

import java.util.List;

/**
 * How a container finds the partition key of an item.
 *
 * @param kind one hash over the whole key, or one per level
 * @param version 1 or 2 (facts of the two hashes: protocol section 10)
 * @param paths one JSON path as {@code /a/b} for {@link Kind#HASH}, one to three for {@link
 *     Kind#MULTI_HASH}
 */
public record PartitionKeyDefinition(Kind kind, int version, List<String> paths) {
  /** The two partitioning schemes of the dialect. */
  public enum Kind {
    HASH,
    MULTI_HASH
  }

  public PartitionKeyDefinition {
    paths = List.copyOf(paths);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("a partition key has at least one path");
    }
    if (version != 1 && version != 2) {
      throw new IllegalArgumentException("a partition key version is 1 or 2, not " + version);
    }
  }
}
