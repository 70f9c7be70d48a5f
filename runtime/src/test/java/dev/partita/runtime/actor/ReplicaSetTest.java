package dev.partita.runtime.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.SessionToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A replica set on one node, while its replicas stop, fail and come back. */
class ReplicaSetTest {
  private static RuntimeFixture fixture;

  @BeforeAll
  static void start() {
    // Windows of a few entries, so that a replica that misses some writes needs a snapshot.
    fixture = new RuntimeFixture("""
        partita.runtime { request-timeout = 6s, logical-partitions-max = 8 }
        partita.runtime.primary { window-bytes = 4K, quorum-lost-after = 2s, snapshot-after = 5s }
        partita.runtime.replica { window-bytes = 4K, rebase-bytes = 8K, rebase-entries = 20 }
        """);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  private static PhysicalPartitionId partition(Container container) {
    return container.routingMap().ranges().get(0).partition();
  }

  private static ItemAnswer.Done created(Container container, String id) {
    ItemAnswer answer = fixture.create(container, id);
    assertThat(answer).isInstanceOf(ItemAnswer.Done.class);
    return (ItemAnswer.Done) answer;
  }

  @Test
  void conditionsAreCheckedOverWritesInFlight() {
    Container container = fixture.container("conditions", 1);
    ItemAnswer.Done first = created(container, "a");
    assertThat(fixture.create(container, "a")).isInstanceOf(ItemAnswer.Conflict.class);
    ItemAnswer second = fixture.write(container, Operation.REPLACE, "a", "y", first.etag());
    assertThat(second).isInstanceOf(ItemAnswer.Done.class);
    assertThat(fixture.write(container, Operation.REPLACE, "a", "z", first.etag()))
        .isInstanceOf(ItemAnswer.PreconditionFailed.class);
    assertThat(fixture.write(container, Operation.DELETE, "a", "", null))
        .isInstanceOf(ItemAnswer.Done.class);
    assertThat(fixture.write(container, Operation.DELETE, "a", "", null))
        .isInstanceOf(ItemAnswer.NotFound.class);
    fixture.awaitEqualReplicas(container, partition(container));
  }

  @Test
  void aReaderWithItsTokenSeesItsWriteWhicheverReplicaAnswers() {
    Container container = fixture.container("sessions", 2);
    for (int i = 0; i < 200; i++) {
      ItemAnswer.Done written = created(container, "s" + i);
      ItemAnswer read =
          fixture.read(container, "s" + i, Level.SESSION, RuntimeFixture.token(written));
      assertThat(read).isInstanceOf(ItemAnswer.Done.class);
    }
    assertThat(fixture.read(container, "s0", Level.STRONG, null))
        .isInstanceOf(ItemAnswer.Done.class);
  }

  @Test
  void aTokenThatNobodyHasReachedIsSaidToBeSo() {
    Container container = fixture.container("ahead", 1);
    created(container, "a");
    SessionToken ahead = new SessionToken(new TreeMap<>(Map.of(0, new Lsn(1_000_000))));
    assertThat(fixture.read(container, "a", Level.SESSION, ahead))
        .isInstanceOf(ItemAnswer.SessionNotReached.class);
  }

  @Test
  void aReplicaThatStopsComesBackAndNothingIsLost() {
    Container container = fixture.container("stopped", 1);
    List<ItemAnswer> answers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      if (i == 100 || i == 200) {
        fixture.kill(fixture.replicas(partition(container)).get(i / 100));
      }
      answers.add(fixture.create(container, "k" + i));
    }
    assertThat(answers).allMatch(answer -> answer instanceof ItemAnswer.Done);
    fixture.awaitEqualReplicas(container, partition(container));
    for (int i = 0; i < 300; i++) {
      assertThat(fixture.read(container, "k" + i, Level.STRONG, null))
          .isInstanceOf(ItemAnswer.Done.class);
    }
  }

  @Test
  void replicasThatStopAgainAndAgainEndEqual() {
    long seed = Long.getLong("replicaset.seed", System.nanoTime());
    Random random = new Random(seed);
    Container container = fixture.container("again-and-again", 1);
    int ids = 0;
    for (int round = 0; round < 12; round++) {
      fixture.kill(fixture.replicas(partition(container)).get(random.nextInt(4)));
      for (int i = 0; i < 60; i++) {
        created(container, "r" + ids++);
      }
    }
    assertThat(ids).as("seed %d", seed).isPositive();
    fixture.awaitEqualReplicas(container, partition(container));
  }

  @Test
  void aReplicaWhoseJournalFailsForLongIsFilledByASnapshot() {
    Container container = fixture.container("laggard", 1);
    created(container, "before");
    var laggard = fixture.replicas(partition(container)).get(3).id();
    fixture.journalFails(laggard, true);
    for (int i = 0; i < 400; i++) {
      created(container, "l" + i);
    }
    await().atMost(RuntimeFixture.PATIENCE).until(() -> fixture.runtime.ready());
    fixture.journalFails(laggard, false);
    fixture.awaitEqualReplicas(container, partition(container));
    long slot = dev.partita.runtime.store.ReplicaRecord.decode(fixture.store.replica(laggard))
        .slot();
    assertThat(slot % dev.partita.runtime.placement.HostedReplicas.SLOTS_PER_REPLICA)
        .as("the replica's items came in a snapshot, to another slot")
        .isPositive();
    assertThat(fixture.read(container, "l399", Level.STRONG, null))
        .isInstanceOf(ItemAnswer.Done.class);
  }

  @Test
  void withTwoOfFourGoneWritesAreRefusedAndSessionReadsGoOn() {
    Container container = fixture.container("minority", 1);
    ItemAnswer.Done written = created(container, "a");
    fixture.awaitEqualReplicas(container, partition(container));
    var replicas = fixture.replicas(partition(container));
    fixture.journalFails(replicas.get(2).id(), true);
    fixture.journalFails(replicas.get(3).id(), true);
    long begun = System.nanoTime();
    ItemAnswer refused = fixture.create(container, "b");
    assertThat(refused)
        .isInstanceOfAny(ItemAnswer.OutcomeUnknown.class, ItemAnswer.Unavailable.class);
    assertThat(java.time.Duration.ofNanos(System.nanoTime() - begun))
        .isLessThan(java.time.Duration.ofSeconds(8));
    assertThat(fixture.read(container, "a", Level.SESSION, RuntimeFixture.token(written)))
        .isInstanceOf(ItemAnswer.Done.class);
    fixture.journalFails(replicas.get(2).id(), false);
    await()
        .atMost(RuntimeFixture.PATIENCE)
        .until(() -> fixture.create(container, "c") instanceof ItemAnswer.Done);
    fixture.journalFails(replicas.get(3).id(), false);
    fixture.awaitEqualReplicas(container, partition(container));
  }

  @Test
  void readsGoOnWhileNoReplicaCanWriteItsLog() {
    Container container = fixture.container("no-log", 1);
    created(container, "a");
    fixture.awaitEqualReplicas(container, partition(container));
    var replicas = fixture.replicas(partition(container));
    replicas.forEach(replica -> fixture.journalFails(replica.id(), true));
    assertThat(fixture.create(container, "b"))
        .isInstanceOfAny(ItemAnswer.OutcomeUnknown.class, ItemAnswer.Unavailable.class);
    ItemAnswer refused = fixture.create(container, "c");
    assertThat(refused).isInstanceOf(ItemAnswer.Unavailable.class);
    assertThat(fixture.read(container, "a", Level.SESSION, null))
        .isInstanceOf(ItemAnswer.Done.class);
    replicas.forEach(replica -> fixture.journalFails(replica.id(), false));
    await()
        .atMost(RuntimeFixture.PATIENCE)
        .until(() -> fixture.create(container, "d") instanceof ItemAnswer.Done);
    fixture.awaitEqualReplicas(container, partition(container));
  }

  @Test
  void aStoreThatRefusesIsAskedAgain() {
    Container container = fixture.container("full", 1);
    created(container, "a");
    fixture.awaitEqualReplicas(container, partition(container));
    fixture.store.full(true);
    ItemAnswer.Done written = created(container, "b");
    assertThat(fixture.read(container, "b", Level.SESSION, RuntimeFixture.token(written)))
        .isInstanceOf(ItemAnswer.SessionNotReached.class);
    assertThat(fixture.read(container, "a", Level.EVENTUAL, null))
        .isInstanceOf(ItemAnswer.Done.class);
    fixture.store.full(false);
    fixture.awaitEqualReplicas(container, partition(container));
    assertThat(fixture.read(container, "b", Level.SESSION, RuntimeFixture.token(written)))
        .isInstanceOf(ItemAnswer.Done.class);
  }

  @Test
  void aDeletedContainerIsGoneAndItsNameIsFree() {
    Container container = fixture.container("again", 2);
    created(container, "a");
    var deleted = RuntimeFixture.join(
        fixture.runtime.catalog().deleteContainer(container, java.util.Optional.empty()));
    RuntimeFixture.done(deleted);
    assertThat(fixture.create(container, "b")).isInstanceOf(ItemAnswer.ContainerGone.class);
    assertThat(fixture.read(container, "a", Level.EVENTUAL, null))
        .isInstanceOf(ItemAnswer.ContainerGone.class);
    await()
        .atMost(RuntimeFixture.PATIENCE)
        .until(() -> fixture
            .store
            .contents(new dev.partita.runtime.store.Area(
                container.lineage(),
                dev.partita.runtime.placement.HostedReplicas.SLOTS_PER_REPLICA))
            .isEmpty());
  }
}
