package dev.partita.runtime.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostedReplicas.Creation;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules R7 and R8 of the node registry, and where new replicas go. */
class HostedReplicasTest {
  private static final Uid OURS = new Uid(1, 1);
  private static final Uid ALSO_OURS = new Uid(1, 2);
  private static final Uid ELSEWHERE = new Uid(2, 1);
  private static final PhysicalPartitionId PARTITION = new PhysicalPartitionId(5);

  private final HostedReplicas hosted = new HostedReplicas(List.of(OURS, ALSO_OURS));

  private static ReplicaId id(Uid store, long incarnation) {
    return new ReplicaId(PARTITION, store, incarnation);
  }

  private void create(ReplicaId id) {
    var descriptor = new PartitionDescriptor(PARTITION, 3, "AQAAAA==", "AQAAAIAAAAE=", 0, "", "FF");
    hosted.create(id, descriptor, List.of(id), 0).ifPresent(hosted::apply);
  }

  @Test
  void anOrderMayComeAgain() {
    create(id(OURS, 7));
    assertThat(hosted.judge(id(OURS, 7))).isEqualTo(Creation.CREATED);
    create(id(OURS, 7));
    assertThat(hosted.all()).hasSize(1);
  }

  @Test
  void aReplicaIsNeverReplaced() {
    create(id(OURS, 7));
    assertThat(hosted.judge(id(OURS, 8))).isEqualTo(Creation.OCCUPIED);
    assertThat(hosted.judge(id(OURS, 6))).isEqualTo(Creation.LATE);
    assertThat(hosted.judge(id(ALSO_OURS, 8))).isEqualTo(Creation.CREATED);
  }

  @Test
  void aStoreOfAnotherNodeIsNotOurs() {
    assertThat(hosted.judge(id(ELSEWHERE, 7))).isEqualTo(Creation.NOT_OURS);
  }

  @Test
  void aRemovedReplicaNeverReturnsWhetherItWasHereOrNot() {
    create(id(OURS, 7));
    hosted.apply(new HostEvent.ReplicaRemoved(id(OURS, 7)));
    hosted.apply(new HostEvent.ReplicaRemoved(id(ALSO_OURS, 7)));
    assertThat(hosted.judge(id(OURS, 7))).isEqualTo(Creation.TOMBSTONED);
    assertThat(hosted.judge(id(ALSO_OURS, 7))).isEqualTo(Creation.TOMBSTONED);
    assertThat(hosted.unerased())
        .extracting(HostedReplicas.Hosted::id)
        .containsExactly(id(OURS, 7));
    hosted.apply(new HostEvent.ReplicaErased(id(OURS, 7)));
    assertThat(hosted.unerased()).isEmpty();
    assertThat(hosted.judge(id(OURS, 7))).isEqualTo(Creation.TOMBSTONED);
  }

  @Test
  void slotsAreNeverSharedNorUsedAgain() {
    create(id(OURS, 7));
    long first = hosted.get(id(OURS, 7)).orElseThrow().area().slot();
    hosted.apply(new HostEvent.ReplicaRemoved(id(OURS, 7)));
    hosted.apply(new HostEvent.ReplicaErased(id(OURS, 7)));
    create(id(ALSO_OURS, 9));
    long second = hosted.get(id(ALSO_OURS, 9)).orElseThrow().area().slot();
    assertThat(second - first).isGreaterThanOrEqualTo(HostedReplicas.SLOTS_PER_REPLICA);
  }

  @Test
  void newReplicasGoWhereFewestAre() {
    Uid a = new Uid(0, 1);
    Uid b = new Uid(0, 2);
    Uid c = new Uid(0, 3);
    Uid d = new Uid(0, 4);
    Uid e = new Uid(0, 5);
    assertThat(Placement.choose(List.of(a, b, c, d, e), Map.of(a, 3, b, 1)))
        .containsExactly(b, c, d, e);
    assertThat(Placement.choose(List.of(e, a), Map.of())).containsExactly(a, e);
  }
}
