package dev.partita.runtime.actor;

import dev.partita.runtime.model.Bytes;

/**
 * Names a logical partition of a container.
 *
 * @param effectivePartitionKey raw bytes
 * @param partitionKey canonical bytes
 */
record LogicalPartitionKey(Bytes effectivePartitionKey, Bytes partitionKey) {}
