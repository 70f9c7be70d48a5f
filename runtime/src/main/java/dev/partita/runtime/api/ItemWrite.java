package dev.partita.runtime.api;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * A write of one item.
 *
 * @param operation what to do
 * @param key partition key, complete
 * @param id id of the item, at most 1,023 bytes of UTF-8
 * @param body the JSON object to store as UTF-8, checked, without system properties and without leading or
 *     trailing blanks; empty for a deletion. Not to be changed afterwards.
 * @param ifMatch the etag that the stored item must have, with its quotes; {@code *} for any; null for none
 */
public record ItemWrite(
    Operation operation,
    PartitionKey key,
    String id,
    Bytes body,
    @Nullable String ifMatch) {
  /** The four writes of a single item. */
  public enum Operation {
    CREATE,
    UPSERT,
    REPLACE,
    DELETE
  }
}
