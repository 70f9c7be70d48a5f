package dev.partita.runtime.catalog;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.NewReplica;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/** Orders to the hosts of the cluster. Each may be given again without harm. */
public interface ReplicaOrders {
  /** Stores of the nodes that are up. */
  SortedSet<Uid> stores();

  /** Completes when every replica exists; fails when a host refuses or does not answer in time. */
  CompletableFuture<Void> create(List<NewReplica> replicas);

  /** Completes when no host has a replica of these partitions any more. */
  CompletableFuture<Void> retire(List<PhysicalPartitionId> partitions);

  /** Makes the primaries of these partitions run, if they do not. */
  void wake(List<PhysicalPartitionId> partitions);
}
