package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.ShardingEnvelope;
import akka.cluster.sharding.typed.ShardingMessageExtractor;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import akka.cluster.sharding.typed.javadsl.Entity;
import akka.cluster.typed.ClusterSingleton;
import akka.cluster.typed.SingletonActor;
import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.Partita;
import dev.partita.runtime.api.StatusReport;
import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.NewReplica;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.ReplicaStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The runtime of one node: starts the host of its replicas, the shard region of the primaries and the
 * coordinator, and hands out what front ends use. The node has joined a cluster, perhaps of one.
 */
public final class PartitaRuntime implements Partita {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration READY_CHECK = Duration.ofMillis(100);
  private static final Duration SINGLETON_BACKOFF_MIN = Duration.ofMillis(200);
  private static final Duration SINGLETON_BACKOFF_MAX = Duration.ofSeconds(5);

  private final ActorSystem<?> system;
  private final ItemsGateway gateway;
  private final CatalogRepository repository;
  private final Catalog catalog;
  private final NodeContext node;
  private final ActorRef<CoordinatorActor.Command> coordinator;
  private volatile boolean ready;
  private volatile boolean stopping;

  /**
   * Who this node is.
   *
   * @param clusterId fixed at genesis
   * @param stores uids of the node's stores: one in a cluster, four on a lone node
   * @param catalogVoters stores that hold the first replicas of the system partition: the members of the
   *     genesis record
   */
  public record Identity(Uid clusterId, List<Uid> stores, List<Uid> catalogVoters) {
    public Identity {
      stores = List.copyOf(stores);
      catalogVoters = List.copyOf(catalogVoters);
    }
  }

  private PartitaRuntime(
      ActorSystem<?> system,
      NodeContext node,
      ItemsGateway gateway,
      CatalogRepository repository,
      ActorRef<CoordinatorActor.Command> coordinator) {
    this.system = system;
    this.node = node;
    this.gateway = gateway;
    this.repository = repository;
    this.coordinator = coordinator;
    this.catalog = new CatalogService(repository, coordinator, system);
  }

  /**
   * Starts the runtime. {@link #ready} turns true when a write would succeed.
   *
   * @param system a system whose configuration has the sections of reference.conf
   * @param store applied state of this node's replicas; stays open as long as the system runs
   */
  public static PartitaRuntime start(
      ActorSystem<?> system, Identity identity, ReplicaStore store, ChargeModel charges) {
    RuntimeSettings settings = RuntimeSettings.of(system.settings().config());
    Executor storage = system
        .dispatchers()
        .lookup(DispatcherSelector.fromConfig(RuntimeSettings.STORAGE_DISPATCHER));
    NodeContext node = new NodeContext(
        identity.clusterId(),
        identity.stores(),
        identity.clusterId().low(),
        store,
        new LocalReplicas(),
        charges,
        settings,
        storage);
    ActorRef<ReplicaHost.Command> host = startHost(system, node);
    createSystemPartition(system, host, identity);
    ItemsGateway gateway = new ItemsGateway(startRegion(system, node), node);
    CatalogRepository repository = new CatalogRepository(gateway, node);
    gateway.guardedBy(container -> !repository.view().has(container.rid()));
    ActorRef<CoordinatorActor.Command> coordinator = ClusterSingleton.get(system)
        .init(SingletonActor.of(
            Behaviors.supervise(CoordinatorActor.create(repository, gateway, node))
                .onFailure(SupervisorStrategy.restartWithBackoff(
                    SINGLETON_BACKOFF_MIN, SINGLETON_BACKOFF_MAX, 0.2)),
            "coordinator"));
    PartitaRuntime runtime = new PartitaRuntime(system, node, gateway, repository, coordinator);
    gateway.wake(PhysicalPartitionId.SYSTEM);
    runtime.checkReady();
    return runtime;
  }

  private static ActorRef<ReplicaHost.Command> startHost(ActorSystem<?> system, NodeContext node) {
    CompletableFuture<Void> started = new CompletableFuture<>();
    ActorRef<ReplicaHost.Command> host = system.systemActorOf(
        Behaviors.supervise(ReplicaHost.create(node, started))
            .onFailure(SupervisorStrategy.restartWithBackoff(
                SINGLETON_BACKOFF_MIN, SINGLETON_BACKOFF_MAX, 0.2)),
        "replica-host",
        Props.empty());
    started
        .orTimeout(START_TIMEOUT.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)
        .join();
    return host;
  }

  /** The system partition needs no catalog to be placed: its first voters follow from genesis (B2). */
  private static void createSystemPartition(
      ActorSystem<?> system, ActorRef<ReplicaHost.Command> host, Identity identity) {
    List<ReplicaId> voters = identity.catalogVoters().stream()
        .map(store -> new ReplicaId(PhysicalPartitionId.SYSTEM, store, 0))
        .sorted()
        .toList();
    List<NewReplica> here = new ArrayList<>();
    for (ReplicaId voter : voters) {
      if (identity.stores().contains(voter.store())) {
        here.add(new NewReplica(voter, PartitionDescriptor.SYSTEM, voters));
      }
    }
    if (!here.isEmpty()) {
      AskPattern.<ReplicaHost.Command, ReplicaHost.Created>ask(
              host,
              replyTo -> new ReplicaHost.Create(here, replyTo),
              START_TIMEOUT,
              system.scheduler())
          .toCompletableFuture()
          .join();
    }
  }

  private static ActorRef<ShardingEnvelope<PhysicalPartitionActor.Command>> startRegion(
      ActorSystem<?> system, NodeContext node) {
    return ClusterSharding.get(system)
        .init(Entity.of(
                PhysicalPartitionActor.TYPE_KEY,
                entity -> PhysicalPartitionActor.create(
                    new PhysicalPartitionId(Long.parseLong(entity.getEntityId())), node))
            .withMessageExtractor(new ShardPerPartition()));
  }

  /** A shard is a physical partition: primaries are placed and moved one by one. */
  private static final class ShardPerPartition
      extends ShardingMessageExtractor<
          ShardingEnvelope<PhysicalPartitionActor.Command>, PhysicalPartitionActor.Command> {
    @Override
    public String entityId(ShardingEnvelope<PhysicalPartitionActor.Command> envelope) {
      return envelope.entityId();
    }

    @Override
    public String shardId(String entityId) {
      return entityId;
    }

    @Override
    public PhysicalPartitionActor.Command unwrapMessage(
        ShardingEnvelope<PhysicalPartitionActor.Command> envelope) {
      return envelope.message();
    }
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Items items() {
    return gateway;
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public CompletableFuture<StatusReport> status() {
    return new StatusReporter(system, node, gateway, repository).report();
  }

  /** Asks nobody anything any more, so that primaries that have stopped are not started again. */
  public void stop() {
    stopping = true;
    ready = false;
  }

  /** Asks again and again, so that {@link #ready} is cheap and never older than a few checks. */
  private void checkReady() {
    CompletableFuture<Boolean> reconciled =
        AskPattern.<CoordinatorActor.Command, CoordinatorActor.Ready>ask(
                coordinator,
                CoordinatorActor.GetReady::new,
                READY_CHECK.multipliedBy(5),
                system.scheduler())
            .toCompletableFuture()
            .thenApplyAsync(CoordinatorActor.Ready::ready, system.executionContext());
    var unused = gateway
        .status(PhysicalPartitionId.SYSTEM, READY_CHECK.toMillis() * 5)
        .thenCombineAsync(
            reconciled,
            (status, yes) -> yes && status.serving() && status.writable(),
            system.executionContext())
        .whenCompleteAsync(
            (yes, failure) -> {
              ready = failure == null && yes && !stopping;
              if (!stopping) {
                system
                    .scheduler()
                    .scheduleOnce(READY_CHECK, this::checkReady, system.executionContext());
              }
            },
            system.executionContext());
  }
}
