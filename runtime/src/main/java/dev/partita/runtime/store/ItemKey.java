package dev.partita.runtime.store;

import dev.partita.runtime.model.Bytes;

/**
 * Where an item stands in the ordered keyspace of its area: by effective partition key, then partition key,
 * then id, all as unsigned bytes.
 *
 * @param effectivePartitionKey raw bytes
 * @param partitionKey canonical bytes; keys that collide in the hash are still two
 * @param id UTF-8
 */
public record ItemKey(Bytes effectivePartitionKey, Bytes partitionKey, Bytes id) {}
