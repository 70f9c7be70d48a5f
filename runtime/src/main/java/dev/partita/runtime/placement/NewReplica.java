package dev.partita.runtime.placement;

import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.List;

/**
 * An order to create a first voter of a new physical partition. It may be given any number of times.
 *
 * @param voters the first configuration
 */
public record NewReplica(ReplicaId id, PartitionDescriptor descriptor, List<ReplicaId> voters) {
  public NewReplica {
    voters = List.copyOf(voters);
  }
}
