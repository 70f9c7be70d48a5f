package dev.partita.runtime.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.PoisonPill;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.receptionist.Receptionist;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.persistence.testkit.JournalOperation;
import akka.persistence.testkit.PersistenceTestKitPlugin;
import akka.persistence.testkit.ProcessingPolicy;
import akka.persistence.testkit.ProcessingResult;
import akka.persistence.testkit.ProcessingSuccess;
import akka.persistence.testkit.StorageFailure;
import akka.persistence.testkit.WriteEvents;
import akka.persistence.testkit.javadsl.PersistenceTestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemRead;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.NewContainer;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.charge.ChargeSettings;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.SessionToken;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.store.Area;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The runtime of a lone node over stores in memory, and the means to hurt its replicas. */
final class RuntimeFixture implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<Uid> STORES =
      List.of(new Uid(1, 1), new Uid(1, 2), new Uid(1, 3), new Uid(1, 4));

  final InMemoryReplicaStore store = new InMemoryReplicaStore();
  final ActorTestKit kit;
  final PartitaRuntime runtime;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  RuntimeFixture(String settings) {
    Config config = ConfigFactory.parseString(settings)
        .withFallback(ConfigFactory.parseString("""
            akka.actor.provider = cluster
            akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
            akka.cluster.downing-provider-class = "akka.cluster.sbr.SplitBrainResolverProvider"
            akka.cluster.periodic-tasks-initial-delay = 20ms
            akka.cluster.leader-actions-interval = 100ms
            akka.cluster.failure-detector.acceptable-heartbeat-pause = 30s
            akka.cluster.sharding.distributed-data.notify-subscribers-interval = 50ms
            akka.cluster.typed.receptionist.distributed-data.notify-subscribers-interval = 50ms
            akka.loglevel = WARNING
            akka.actor.testkit.typed.system-shutdown-default = 60s
            akka.log-dead-letters = off
            akka.persistence.testkit.events.serialize = on
            partita.runtime.journal-plugin-id = "akka.persistence.testkit.journal"
            partita.runtime.flush-interval = 250ms
            """))
        .withFallback(PersistenceTestKitPlugin.getInstance().config())
        .withFallback(ConfigFactory.load());
    kit = ActorTestKit.create("partita", config);
    Cluster cluster = Cluster.get(kit.system());
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    PersistenceTestKit.create(kit.system()).withPolicy(new FailChosen(failing));
    runtime = PartitaRuntime.start(
        kit.system(),
        new PartitaRuntime.Identity(new Uid(7, 7), STORES, STORES),
        store,
        new ChargeModel(ChargeSettings.DEFAULT));
    await().atMost(PATIENCE).until(runtime::ready);
  }

  private record FailChosen(Set<String> failing) implements ProcessingPolicy<JournalOperation> {
    @Override
    public ProcessingResult tryProcess(String persistenceId, JournalOperation operation) {
      return operation instanceof WriteEvents && failing.contains(persistenceId)
          ? StorageFailure.create(
              new IllegalStateException("this journal fails, as the test wants"))
          : ProcessingSuccess.getInstance();
    }
  }

  /** From now on, or no longer, the journal refuses what this replica writes. */
  void journalFails(ReplicaId replica, boolean fails) {
    String id = ReplicaActor.persistenceId(replica);
    if (fails) {
      failing.add(id);
    } else {
      failing.remove(id);
    }
  }

  Container container(String name, int physicalPartitions) {
    Database database =
        done(join(runtime.catalog().createDatabase("db-" + name, Optional.empty())));
    return done(join(runtime
        .catalog()
        .createContainer(
            database,
            new NewContainer(
                name,
                new PartitionKeyDefinition(PartitionKeyDefinition.Kind.HASH, 2, List.of("/pk")),
                "{}",
                Optional.empty(),
                OptionalInt.of(physicalPartitions)))));
  }

  static <T> T done(CatalogAnswer<T> answer) {
    assertThat(answer).isInstanceOf(CatalogAnswer.Done.class);
    return ((CatalogAnswer.Done<T>) answer).value();
  }

  static <T> T join(java.util.concurrent.CompletableFuture<T> future) {
    return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  ItemAnswer write(
      Container container,
      ItemWrite.Operation operation,
      String id,
      String pad,
      @Nullable String ifMatch) {
    Bytes body = operation == ItemWrite.Operation.DELETE
        ? Bytes.EMPTY
        : Bytes.utf8("{\"id\":\"" + id + "\",\"pk\":\"" + id + "\",\"pad\":\"" + pad + "\"}");
    return join(
        runtime.items().write(container, new ItemWrite(operation, key(id), id, body, ifMatch)));
  }

  ItemAnswer create(Container container, String id) {
    return write(container, ItemWrite.Operation.CREATE, id, "x", null);
  }

  ItemAnswer read(Container container, String id, Level level, @Nullable SessionToken token) {
    return join(runtime
        .items()
        .read(container, new ItemRead(key(id), id, null, new ReadConsistency(level, token))));
  }

  static PartitionKey key(String text) {
    return new PartitionKey(List.of(new PartitionKey.Component.Text(text)));
  }

  static SessionToken token(ItemAnswer.Done done) {
    TreeMap<Integer, dev.partita.runtime.model.Lsn> seen = new TreeMap<>();
    seen.put(done.served().rangeId(), done.served().lsn());
    return new SessionToken(seen);
  }

  List<PhysicalPartitionActor.MemberFound> replicas(PhysicalPartitionId partition) {
    TestProbe<Receptionist.Listing> listings = kit.createTestProbe();
    kit.system().receptionist().tell(Receptionist.find(ReplicaHost.SERVICE_KEY, listings.getRef()));
    ActorRef<ReplicaHost.Command> host = listings
        .receiveMessage(PATIENCE)
        .getServiceInstances(ReplicaHost.SERVICE_KEY)
        .iterator()
        .next();
    TestProbe<PhysicalPartitionActor.Command> found = kit.createTestProbe();
    host.tell(new ReplicaHost.Find(partition, found.getRef()));
    List<PhysicalPartitionActor.MemberFound> members = new ArrayList<>();
    for (int i = 0; i < STORES.size(); i++) {
      members.add(found.expectMessageClass(PhysicalPartitionActor.MemberFound.class, PATIENCE));
    }
    return members;
  }

  void kill(PhysicalPartitionActor.MemberFound replica) {
    Adapter.toClassic(replica.replica())
        .tell(PoisonPill.getInstance(), akka.actor.ActorRef.noSender());
  }

  /** Waits until all replicas of the partition have applied as much, and compares what they hold. */
  void awaitEqualReplicas(Container container, PhysicalPartitionId partition) {
    await().atMost(PATIENCE).untilAsserted(() -> {
      List<String> contents = new ArrayList<>();
      List<String> records = new ArrayList<>();
      for (PhysicalPartitionActor.MemberFound member : replicas(partition)) {
        Bytes stored = store.replica(member.id());
        assertThat(stored).isNotNull();
        var record = dev.partita.runtime.store.ReplicaRecord.decode(stored);
        contents.add(store.contents(new Area(container.lineage(), record.slot())));
        records.add(record.applied() + " " + record.items() + " " + record.bytes());
      }
      assertThat(records).hasSize(STORES.size()).allMatch(records.get(0)::equals);
      assertThat(contents).allMatch(contents.get(0)::equals);
    });
  }

  @Override
  public void close() {
    runtime.stop();
    kit.shutdownTestKit();
  }
}
