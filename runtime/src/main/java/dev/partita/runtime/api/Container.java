package dev.partita.runtime.api;

import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.RoutingMap;
import java.util.Optional;

/**
 * A container of the catalog, as of one version of it.
 *
 * @param databaseId name of its database
 * @param databaseRid base64 of 4 bytes
 * @param id its name
 * @param rid base64 of 8 bytes: the database's four, then four that are unique in the account
 * @param etag with its quotes
 * @param timestampSeconds of the last change, seconds since 1970
 * @param partitionKey how its items are spread
 * @param definitionJson the JSON object a client sees, without system properties
 * @param throughput its own, or none when it shares its database's
 * @param routingMap its ranges
 * @param lineage key prefix of its items in every store, inherited through splits
 */
public record Container(
    String databaseId,
    String databaseRid,
    String id,
    String rid,
    String etag,
    long timestampSeconds,
    PartitionKeyDefinition partitionKey,
    String definitionJson,
    Optional<Throughput> throughput,
    RoutingMap routingMap,
    long lineage) {}
