package dev.partita.http.protocol;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey;

/**
 * An item as a client sent it, read once.
 *
 * @param id its id, checked
 * @param key the partition key at the container's paths
 * @param body the client's own bytes without blanks around and without system properties
 */
public record ScannedDocument(String id, PartitionKey key, Bytes body) {}
