package dev.partita.runtime.placement;

import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.List;

/** A durable change of what a node hosts. */
public sealed interface HostEvent {
  /**
   * A replica was created here.
   *
   * @param slot the first of its slots in the node's store, none of them used before
   * @param voters the first configuration of its replica set, which it is a member of
   */
  record ReplicaCreated(
      ReplicaId id, PartitionDescriptor descriptor, long slot, List<ReplicaId> voters)
      implements HostEvent {
    public ReplicaCreated {
      voters = List.copyOf(voters);
    }
  }

  /** The replica's id is dead for ever; its log and items are still to be erased. */
  record ReplicaRemoved(ReplicaId id) implements HostEvent {}

  /** Log and items of a removed replica are gone. */
  record ReplicaErased(ReplicaId id) implements HostEvent {}
}
