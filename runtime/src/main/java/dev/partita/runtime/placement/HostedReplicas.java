package dev.partita.runtime.placement;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostEvent.ReplicaCreated;
import dev.partita.runtime.placement.HostEvent.ReplicaErased;
import dev.partita.runtime.placement.HostEvent.ReplicaRemoved;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which replicas a node hosts, which ids are dead for ever, and which slot comes next: the node registry of
 * replication.md section 4.2, rules R7 and R8. Decides; its owner makes the decisions durable.
 */
public final class HostedReplicas {
  /** Slots that a replica may use one after the other, for snapshots that it takes in. */
  public static final long SLOTS_PER_REPLICA = 1L << 16;

  private final SortedSet<Uid> stores;
  private final SortedMap<ReplicaId, Hosted> hosted = new TreeMap<>();
  private final SortedMap<ReplicaId, Hosted> unerased = new TreeMap<>();
  private final SortedSet<ReplicaId> tombstones = new TreeSet<>();
  private long nextSlot = SLOTS_PER_REPLICA;

  /** A replica here. */
  public record Hosted(
      ReplicaId id, PartitionDescriptor descriptor, Area area, List<ReplicaId> voters) {}

  /** What became of an order to create a replica. */
  public enum Creation {
    /** It is here, now or already. */
    CREATED,
    /** An older replica of the partition is in its store. */
    OCCUPIED,
    /** A newer replica of the partition is in its store: the order is late. */
    LATE,
    /** Its id was removed before, and never returns. */
    TOMBSTONED,
    /** Its store is not of this node. */
    NOT_OURS
  }

  /**
   * @param stores uids of the stores of this node
   */
  public HostedReplicas(Collection<Uid> stores) {
    this.stores = new TreeSet<>(stores);
  }

  /** What an order to create {@code id} comes to; a replica is never replaced (R7). */
  public Creation judge(ReplicaId id) {
    if (!stores.contains(id.store())) {
      return Creation.NOT_OURS;
    }
    if (tombstones.contains(id)) {
      return Creation.TOMBSTONED;
    }
    for (Hosted other : of(id.partition())) {
      if (other.id().store().equals(id.store()) && other.id().incarnation() != id.incarnation()) {
        return other.id().incarnation() < id.incarnation() ? Creation.OCCUPIED : Creation.LATE;
      }
    }
    return Creation.CREATED;
  }

  /** The event that creates a replica judged {@link Creation#CREATED}; none when it is here already. */
  public Optional<ReplicaCreated> create(
      ReplicaId id, PartitionDescriptor descriptor, List<ReplicaId> voters, int ahead) {
    return hosted.containsKey(id)
        ? Optional.empty()
        : Optional.of(
            new ReplicaCreated(id, descriptor, nextSlot + ahead * SLOTS_PER_REPLICA, voters));
  }

  /** The only thing that changes this registry. */
  public void apply(HostEvent event) {
    if (event instanceof ReplicaCreated created) {
      Area area = new Area(created.descriptor().lineage(), created.slot());
      hosted.put(
          created.id(), new Hosted(created.id(), created.descriptor(), area, created.voters()));
      nextSlot = Math.max(nextSlot, created.slot() + SLOTS_PER_REPLICA);
    } else if (event instanceof ReplicaRemoved removed) {
      tombstones.add(removed.id());
      Hosted was = hosted.remove(removed.id());
      if (was != null) {
        unerased.put(removed.id(), was);
      }
    } else if (event instanceof ReplicaErased erased) {
      unerased.remove(erased.id());
    }
  }

  public Optional<Hosted> get(ReplicaId id) {
    return Optional.ofNullable(hosted.get(id));
  }

  public Collection<Hosted> all() {
    return Collections.unmodifiableCollection(hosted.values());
  }

  /** Removed replicas whose log and items may still be here. */
  public Collection<Hosted> unerased() {
    return Collections.unmodifiableCollection(unerased.values());
  }

  /** Replicas of one partition; on a lone node there are several. */
  public List<Hosted> of(PhysicalPartitionId partition) {
    List<Hosted> found = new ArrayList<>();
    for (Hosted candidate :
        hosted.tailMap(new ReplicaId(partition, Uid.ZERO, Long.MIN_VALUE)).values()) {
      if (!candidate.id().partition().equals(partition)) {
        break;
      }
      found.add(candidate);
    }
    return found;
  }
}
