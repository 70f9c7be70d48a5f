package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;

/**
 * One change of one item as it will be, whatever was there before. Applying a mutation reads no clock and
 * makes no value.
 *
 * @param kind what happens to the item
 * @param effectivePartitionKey raw bytes
 * @param partitionKey canonical bytes
 * @param id UTF-8
 * @param document the whole item with its system properties, UTF-8 JSON; empty for a deletion
 * @param etag of the new state, with its quotes; empty for a deletion
 * @param timestampSeconds of the write, seconds since 1970
 * @param number the item's own part of its RID, kept from its creation on
 * @param logicalSize of the logical partition after this mutation
 * @param delta what the physical partition holds more or less
 */
public record ItemMutation(
    Kind kind,
    Bytes effectivePartitionKey,
    Bytes partitionKey,
    Bytes id,
    Bytes document,
    String etag,
    long timestampSeconds,
    long number,
    LogicalSize logicalSize,
    SizeDelta delta) {
  /** The two changes of an item. */
  public enum Kind {
    PUT,
    DELETE
  }
}
