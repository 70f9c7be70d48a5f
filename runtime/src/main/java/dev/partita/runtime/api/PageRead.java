package dev.partita.runtime.api;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * One page of items.
 *
 * @param scope what to read
 * @param from where to go on, from the last page's {@link PageAnswer.Page#next}; null to begin
 * @param itemsMax 1 or more
 * @param bytesMax the page ends when it holds this many bytes, but holds at least one item
 * @param consistency what the reader asks for
 */
public record PageRead(
    Scope scope, @Nullable Position from, int itemsMax, int bytesMax, ReadConsistency consistency) {
  /** A part of the container. */
  public sealed interface Scope {
    /** One logical partition. */
    record LogicalPartition(PartitionKey key) implements Scope {}

    /** The keyspace from {@code minInclusive} to {@code maxExclusive}, both upper-case hexadecimal. */
    record KeyspaceRange(String minInclusive, String maxExclusive) implements Scope {}
  }

  /**
   * The place after an item, in keyspace order. It names the item, so it holds across restarts and splits.
   *
   * @param effectivePartitionKey of the last item delivered, hexadecimal
   * @param partitionKey canonical bytes of its partition key
   * @param id its id
   */
  public record Position(String effectivePartitionKey, Bytes partitionKey, String id) {}
}
