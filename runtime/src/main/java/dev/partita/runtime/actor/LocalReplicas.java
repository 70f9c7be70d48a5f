package dev.partita.runtime.actor;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The installed replicas of this node, for readers that do not go through an actor. A replica is listed from
 * the moment it has recovered until it stops.
 */
public final class LocalReplicas {
  private final Map<PhysicalPartitionId, List<LocalReplica>> byPartition =
      new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();

  void add(LocalReplica replica) {
    byPartition.merge(replica.id().partition(), List.of(replica), LocalReplicas::plus);
  }

  void remove(ReplicaId id) {
    byPartition.computeIfPresent(id.partition(), (partition, replicas) -> {
      List<LocalReplica> rest =
          replicas.stream().filter(r -> !r.id().equals(id)).toList();
      return rest.isEmpty() ? null : rest;
    });
  }

  /** All replicas of a partition here, in order of their ids; empty when there are none. */
  List<LocalReplica> of(PhysicalPartitionId partition) {
    return byPartition.getOrDefault(partition, Collections.emptyList());
  }

  /** All replicas here. */
  List<LocalReplica> all() {
    List<LocalReplica> all = new ArrayList<>();
    byPartition.values().forEach(all::addAll);
    return all;
  }

  /** Where a reader starts to look, so that reads spread over the replicas of a partition. */
  int nextTurn() {
    return turn.getAndIncrement() & Integer.MAX_VALUE;
  }

  private static List<LocalReplica> plus(List<LocalReplica> before, List<LocalReplica> added) {
    LocalReplica replica = added.get(0);
    List<LocalReplica> after = new ArrayList<>(before);
    after.removeIf(r -> r.id().equals(replica.id())); // a restart replaces what came before it
    after.add(replica);
    after.sort((a, b) -> a.id().compareTo(b.id()));
    return List.copyOf(after);
  }
}
