package dev.partita.runtime.store;

import dev.partita.runtime.model.PhysicalPartitionId;

/**
 * What never changes about a physical partition; it travels with the order to create a replica.
 *
 * @param id names it
 * @param lineage of its container's items
 * @param databaseRid base64 of 4 bytes
 * @param containerRid base64 of 8 bytes
 * @param rangeId id of its partition key range in the container
 * @param minInclusive start of its range, upper-case hexadecimal
 * @param maxExclusive end of its range, upper-case hexadecimal
 */
public record PartitionDescriptor(
    PhysicalPartitionId id,
    long lineage,
    String databaseRid,
    String containerRid,
    int rangeId,
    String minInclusive,
    String maxExclusive) {

  /** The partition that holds the catalog: every node knows it without asking. */
  public static final PartitionDescriptor SYSTEM = new PartitionDescriptor(
      PhysicalPartitionId.SYSTEM, 0, "AQAAAA==", "AQAAAIAAAAA=", 0, "", "FF");
}
