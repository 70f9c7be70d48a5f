package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.ChildFailed;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostEvent;
import dev.partita.runtime.placement.HostedReplicas;
import dev.partita.runtime.placement.HostedReplicas.Creation;
import dev.partita.runtime.placement.HostedReplicas.Hosted;
import dev.partita.runtime.placement.NewReplica;
import dev.partita.runtime.replication.InvariantViolation;
import dev.partita.runtime.store.ReplicaStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Spawns and supervises the replicas placed on this node, and remembers durably which those are. One per
 * node, found through the receptionist. Also makes the applied state of its replicas durable from time to
 * time, and tells them, so that their logs can let go of it.
 */
public final class ReplicaHost
    extends EventSourcedBehavior<ReplicaHost.Command, HostEvent, HostedReplicas> {
  /** Under this key hosts are found. */
  public static final ServiceKey<Command> SERVICE_KEY =
      ServiceKey.create(Command.class, "replica-host");

  private static final Duration RESTART_MIN = Duration.ofMillis(100);
  private static final Duration RESTART_MAX = Duration.ofSeconds(5);
  private static final Duration FLUSH_CHECK = Duration.ofMillis(250);
  private static final Duration ERASE_RETRY = Duration.ofSeconds(5);

  /** What a host is told. */
  public sealed interface Command {}

  /** Create these replicas, those of them whose store is here; may be sent any number of times. */
  public record Create(List<NewReplica> replicas, ActorRef<Created> replyTo) implements Command {}

  /** Which of the ordered replicas are here now, and why others are not. */
  public record Created(List<ReplicaId> present, List<String> refusals) {}

  /** Remove every replica of these partitions for ever (Retire of replication.md 4.5). */
  public record Retire(List<PhysicalPartitionId> partitions, ActorRef<Retired> replyTo)
      implements Command {}

  /** No replica of the partitions is here, and none of these ids will be. */
  public record Retired(List<PhysicalPartitionId> partitions) {}

  /** Who is here of this partition? Answered with one message a replica. */
  public record Find(
      PhysicalPartitionId partition, ActorRef<PhysicalPartitionActor.Command> replyTo)
      implements Command {}

  /** Which stores are here? */
  public record GetStores(ActorRef<Stores> replyTo) implements Command {}

  /** The stores of a node. */
  public record Stores(ActorRef<Command> host, List<Uid> stores) {}

  private record ReplicaStopped(ReplicaId id, boolean violated) implements Command {}

  private record Flushed(Map<ReplicaId, Lsn> applied) implements Command {}

  private record FlushFailed(String why) implements Command {}

  private record HistoryErased(ReplicaId id) implements Command {}

  private record EraseFailed(ReplicaId id, String why) implements Command {}

  private record Erase(ReplicaId id) implements Command {}

  private enum Own implements Command {
    FLUSH_CHECK
  }

  /** The host of the node that {@code node} describes; completes {@code started} after recovery. */
  public static Behavior<Command> create(NodeContext node, CompletableFuture<Void> started) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new ReplicaHost(context, timers, node, started)));
  }

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final NodeContext node;
  private final CompletableFuture<Void> started;
  private final Map<ReplicaId, ActorRef<ReplicaActor.Command>> replicas = new HashMap<>();
  private boolean flushing;
  private long lastFlushMillis;

  private ReplicaHost(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      NodeContext node,
      CompletableFuture<Void> started) {
    super(PersistenceId.ofUniqueId("host|" + node.stores().get(0)));
    this.context = context;
    this.timers = timers;
    this.node = node;
    this.started = started;
    this.lastFlushMillis = node.millis();
  }

  @Override
  public String journalPluginId() {
    return node.settings().journalPluginId();
  }

  @Override
  public String snapshotPluginId() {
    return "akka.persistence.no-snapshot-store"; // a few events a replica, all of them needed
  }

  @Override
  public HostedReplicas emptyState() {
    return new HostedReplicas(node.stores());
  }

  @Override
  public EventHandler<HostedReplicas, HostEvent> eventHandler() {
    return (hosted, event) -> {
      hosted.apply(event);
      return hosted;
    };
  }

  @Override
  public SignalHandler<HostedReplicas> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), this::recovered)
        .onSignal(Terminated.class, (hosted, terminated) -> onTerminated(terminated))
        .build();
  }

  private void recovered(HostedReplicas hosted) {
    hosted.all().forEach(this::spawn);
    hosted.unerased().forEach(this::erase);
    timers.startTimerWithFixedDelay(Own.FLUSH_CHECK, FLUSH_CHECK);
    context.getSystem().receptionist().tell(Receptionist.register(SERVICE_KEY, context.getSelf()));
    started.complete(null);
  }

  @Override
  public CommandHandler<Command, HostEvent, HostedReplicas> commandHandler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(Create.class, this::onCreate)
        .onCommand(Retire.class, this::onRetire)
        .onCommand(Find.class, this::onFind)
        .onCommand(GetStores.class, this::onGetStores)
        .onCommand(ReplicaStopped.class, this::onReplicaStopped)
        .onCommand(Own.class, this::onFlushCheck)
        .onCommand(Flushed.class, this::onFlushed)
        .onCommand(FlushFailed.class, this::onFlushFailed)
        .onCommand(HistoryErased.class, this::onHistoryErased)
        .onCommand(EraseFailed.class, this::onEraseFailed)
        .onCommand(Erase.class, this::onErase)
        .build();
  }

  private Effect<HostEvent, HostedReplicas> onCreate(HostedReplicas hosted, Create create) {
    List<HostEvent> events = new ArrayList<>();
    List<ReplicaId> present = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    for (NewReplica replica : create.replicas()) {
      Creation judgement = hosted.judge(replica.id());
      switch (judgement) {
        case CREATED -> {
          hosted
              .create(replica.id(), replica.descriptor(), replica.voters(), events.size())
              .ifPresent(events::add);
          present.add(replica.id());
        }
        case NOT_OURS -> {} // the order went to every host; another one has that store
        case OCCUPIED, LATE, TOMBSTONED -> refusals.add(replica.id() + " is " + judgement);
      }
    }
    Created answer = new Created(present, refusals);
    return Effect().persist(events).thenRun(now -> {
      present.forEach(id -> now.get(id).ifPresent(this::spawn));
      create.replyTo().tell(answer);
    });
  }

  private void spawn(Hosted hosted) {
    if (replicas.containsKey(hosted.id())) {
      return; // ordered again
    }
    Behavior<ReplicaActor.Command> behavior = Behaviors.supervise(
            Behaviors.supervise(ReplicaActor.create(hosted, node))
                .onFailure(SupervisorStrategy.restartWithBackoff(RESTART_MIN, RESTART_MAX, 0.2)))
        .onFailure(InvariantViolation.class, SupervisorStrategy.stop());
    ActorRef<ReplicaActor.Command> replica = context.spawnAnonymous(
        behavior, DispatcherSelector.fromConfig(RuntimeSettings.STORAGE_DISPATCHER));
    context.watch(replica);
    replicas.put(hosted.id(), replica);
  }

  private void onTerminated(Terminated terminated) {
    boolean violated =
        terminated instanceof ChildFailed failed && failed.cause() instanceof InvariantViolation;
    replicas.entrySet().stream()
        .filter(entry -> entry.getValue().path().equals(terminated.getRef().path()))
        .forEach(entry -> context.getSelf().tell(new ReplicaStopped(entry.getKey(), violated)));
  }

  /** One that met what only a bug can cause keeps its files and stays down (section 15). */
  private Effect<HostEvent, HostedReplicas> onReplicaStopped(
      HostedReplicas hosted, ReplicaStopped stopped) {
    replicas.remove(stopped.id());
    if (stopped.violated()) {
      node.locals().unlist(stopped.id());
      context.getLog().error("replica {} is quarantined until the node starts again", stopped.id());
    } else if (hosted.get(stopped.id()).isPresent()) {
      context.getLog().warn("replica {} stopped and is started again", stopped.id());
      hosted.get(stopped.id()).ifPresent(this::spawn);
    } else {
      node.locals().unlist(stopped.id());
      hosted.unerased().stream()
          .filter(removed -> removed.id().equals(stopped.id()))
          .forEach(this::erase);
    }
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onRetire(HostedReplicas hosted, Retire retire) {
    List<HostEvent> events = new ArrayList<>();
    for (PhysicalPartitionId partition : retire.partitions()) {
      hosted.of(partition).forEach(one -> events.add(new HostEvent.ReplicaRemoved(one.id())));
    }
    return Effect().persist(events).thenRun(now -> {
      now.unerased().stream()
          .map(removed -> replicas.get(removed.id()))
          .filter(replica -> replica != null)
          .forEach(context::stop);
      retire.replyTo().tell(new Retired(retire.partitions()));
    });
  }

  /** Items first, then the log: a crash in between does both again. */
  private void erase(Hosted removed) {
    node.locals().forget(removed.id());
    CompletableFuture<Void> erased = new CompletableFuture<>();
    var unused = CompletableFuture.runAsync(() -> eraseItems(removed), node.storage())
        .thenComposeAsync(nothing -> node.store().flush(), node.storage())
        .whenCompleteAsync(
            (nothing, failure) -> {
              if (failure != null) {
                erased.completeExceptionally(failure);
              } else {
                Adapter.toClassic(context.getSystem())
                    .actorOf(HistoryEraser.props(
                        ReplicaActor.persistenceId(removed.id()), journalPluginId(), erased));
              }
            },
            node.storage());
    context.pipeToSelf(
        erased,
        (nothing, failure) -> failure == null
            ? new HistoryErased(removed.id())
            : new EraseFailed(removed.id(), String.valueOf(failure.getMessage())));
  }

  private void eraseItems(Hosted removed) {
    ReplicaStore.Batch batch = node.store().batch();
    long slot = removed.area().slot();
    batch.deleteAreas(removed.area().lineage(), slot, slot + HostedReplicas.SLOTS_PER_REPLICA);
    batch.deleteReplica(removed.id());
    batch.write();
  }

  private Effect<HostEvent, HostedReplicas> onHistoryErased(
      HostedReplicas hosted, HistoryErased erased) {
    return Effect().persist(new HostEvent.ReplicaErased(erased.id()));
  }

  private Effect<HostEvent, HostedReplicas> onEraseFailed(
      HostedReplicas hosted, EraseFailed failed) {
    context.getLog().warn("{} is not erased yet: {}", failed.id(), failed.why());
    timers.startSingleTimer(failed.id(), new Erase(failed.id()), ERASE_RETRY);
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onErase(HostedReplicas hosted, Erase erase) {
    hosted.unerased().stream()
        .filter(removed -> removed.id().equals(erase.id()))
        .forEach(this::erase);
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onFind(HostedReplicas hosted, Find find) {
    for (Hosted one : hosted.of(find.partition())) {
      ActorRef<ReplicaActor.Command> replica = replicas.get(one.id());
      if (replica != null) {
        find.replyTo()
            .tell(new PhysicalPartitionActor.MemberFound(one.id(), one.descriptor(), replica));
      }
    }
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onGetStores(
      HostedReplicas hosted, GetStores getStores) {
    getStores.replyTo().tell(new Stores(context.getSelf(), node.stores()));
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onFlushCheck(HostedReplicas hosted, Own check) {
    long unflushed = node.store().unflushedBytes();
    boolean due = unflushed >= node.settings().flushBytes()
        || (unflushed > 0
            && node.millis() - lastFlushMillis
                >= node.settings().flushInterval().toMillis());
    if (due && !flushing) {
      flushing = true;
      lastFlushMillis = node.millis();
      Map<ReplicaId, Lsn> applied = new TreeMap<>();
      node.locals().all().forEach(local -> applied.put(local.id(), local.applied()));
      context.pipeToSelf(
          node.store().flush(),
          (nothing, failure) -> failure == null
              ? new Flushed(applied)
              : new FlushFailed(String.valueOf(failure.getMessage())));
    }
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onFlushed(HostedReplicas hosted, Flushed flushed) {
    flushing = false;
    flushed.applied().forEach((id, lsn) -> {
      ActorRef<ReplicaActor.Command> replica = replicas.get(id);
      if (replica != null) {
        replica.tell(new ReplicaActor.Synced(lsn));
      }
    });
    return Effect().none();
  }

  private Effect<HostEvent, HostedReplicas> onFlushFailed(
      HostedReplicas hosted, FlushFailed failed) {
    flushing = false;
    context.getLog().error("the item store cannot be flushed: {}", failed.why());
    return Effect().none();
  }
}
