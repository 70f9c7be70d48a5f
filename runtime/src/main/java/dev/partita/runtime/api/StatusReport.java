package dev.partita.runtime.api;

import java.util.List;

/** A picture of the cluster at one moment. */
public record StatusReport(List<Node> nodes, List<ContainerStatus> containers) {
  /** A node: its address and its state as the cluster sees it. */
  public record Node(String address, String state, List<String> stores) {}

  /** A container and its physical partitions in keyspace order. */
  public record ContainerStatus(
      String database, String id, List<PhysicalPartitionStatus> physicalPartitions) {}

  /**
   * A physical partition.
   *
   * @param id its number
   * @param rangeId id of its partition key range
   * @param items how many items it holds
   * @param bytes their sizes together
   * @param primary address of the node that runs the primary, or empty when none is known
   * @param state {@code SERVING}, {@code DEGRADED} (fewer than all replicas), {@code NO_WRITE_QUORUM} or
   *     {@code RECOVERING}
   */
  public record PhysicalPartitionStatus(
      long id,
      int rangeId,
      String minInclusive,
      String maxExclusive,
      long items,
      long bytes,
      String primary,
      String state,
      List<ReplicaStatus> replicas) {}

  /**
   * A replica.
   *
   * @param store uid of its store
   * @param state {@code UP}, {@code LAGGING} or {@code DOWN}
   * @param applied LSN it has applied
   * @param durable LSN up to which its log is durable
   */
  public record ReplicaStatus(
      String store, String node, String state, long applied, long durable) {}
}
