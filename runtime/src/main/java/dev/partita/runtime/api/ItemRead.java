package dev.partita.runtime.api;

import dev.partita.runtime.partitioning.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * A point read.
 *
 * @param key partition key, complete
 * @param id id of the item
 * @param ifNoneMatch an etag with its quotes, or null; equal etags answer {@link ItemAnswer.NotModified}
 * @param consistency what the reader asks for
 */
public record ItemRead(
    PartitionKey key, String id, @Nullable String ifNoneMatch, ReadConsistency consistency) {}
