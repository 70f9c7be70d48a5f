package dev.partita.runtime.actor;

import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.ReplicaRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The replicas of this node, for readers that do not go through an actor. A replica is listed from the
 * moment it has heard from a primary in service and caught up with it. One that is started again is the
 * same object and stays listed: its store has lost nothing, so that reads go on while its log fails.
 */
public final class LocalReplicas {
  private final Map<ReplicaId, LocalReplica> known = new ConcurrentHashMap<>();
  private final Map<PhysicalPartitionId, List<LocalReplica>> listed = new ConcurrentHashMap<>();
  private final Map<PhysicalPartitionId, Lsn> acknowledged = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();

  /** The replica as its store has it now, when its actor starts; listed if it was before. */
  LocalReplica open(ReplicaId id, PartitionDescriptor descriptor, ReplicaRecord record) {
    LocalReplica replica =
        known.computeIfAbsent(id, newId -> new LocalReplica(newId, descriptor, record));
    replica.reopen(record);
    return replica;
  }

  void list(LocalReplica replica) {
    listed.merge(replica.id().partition(), List.of(replica), LocalReplicas::plus);
  }

  boolean isListed(LocalReplica replica) {
    return of(replica.id().partition()).contains(replica);
  }

  void unlist(ReplicaId id) {
    listed.computeIfPresent(id.partition(), (partition, replicas) -> {
      List<LocalReplica> rest =
          replicas.stream().filter(r -> !r.id().equals(id)).toList();
      return rest.isEmpty() ? null : rest;
    });
  }

  /** The replica's id is dead for ever. */
  void forget(ReplicaId id) {
    unlist(id);
    known.remove(id);
  }

  /** All replicas of a partition that run here, listed or not, in no order. */
  List<LocalReplica> running(PhysicalPartitionId partition) {
    return known.values().stream()
        .filter(r -> r.id().partition().equals(partition))
        .toList();
  }

  /** The primary on this node has acknowledged everything up to this LSN, or is about to. */
  void acknowledged(PhysicalPartitionId partition, Lsn through) {
    acknowledged.put(partition, through);
  }

  /** What the primary on this node has acknowledged; zero when there was none. */
  Lsn acknowledged(PhysicalPartitionId partition) {
    return acknowledged.getOrDefault(partition, Lsn.ZERO);
  }

  /** All listed replicas of a partition, in order of their ids; empty when there are none. */
  List<LocalReplica> of(PhysicalPartitionId partition) {
    return listed.getOrDefault(partition, Collections.emptyList());
  }

  /** The listed replica of a partition that has applied the most. */
  Optional<LocalReplica> furthest(PhysicalPartitionId partition) {
    LocalReplica best = null;
    Lsn bestApplied = Lsn.ZERO;
    for (LocalReplica replica : of(partition)) {
      Lsn applied = replica.applied();
      if (best == null || applied.isAfter(bestApplied)) {
        best = replica;
        bestApplied = applied;
      }
    }
    return Optional.ofNullable(best);
  }

  /** All listed replicas. */
  List<LocalReplica> all() {
    List<LocalReplica> all = new ArrayList<>();
    listed.values().forEach(all::addAll);
    return all;
  }

  /** Where a reader starts to look, so that reads spread over the replicas of a partition. */
  int nextTurn() {
    return turn.getAndIncrement() & Integer.MAX_VALUE;
  }

  private static List<LocalReplica> plus(List<LocalReplica> before, List<LocalReplica> added) {
    List<LocalReplica> after = new ArrayList<>(before);
    after.removeAll(added);
    after.addAll(added);
    after.sort((a, b) -> a.id().compareTo(b.id()));
    return List.copyOf(after);
  }
}
