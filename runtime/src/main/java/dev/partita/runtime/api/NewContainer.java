package dev.partita.runtime.api;

import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A container to create.
 *
 * @param id its name, checked
 * @param partitionKey how its items are spread
 * @param definitionJson the JSON object a client will see, without system properties
 * @param throughput its own, if asked for
 * @param physicalPartitions how many to start with; by default one per started 10,000 RU/s
 */
public record NewContainer(
    String id,
    PartitionKeyDefinition partitionKey,
    String definitionJson,
    Optional<Throughput> throughput,
    OptionalInt physicalPartitions) {}
