package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.RecoveryCompleted;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.SignalHandler;
import dev.partita.runtime.item.ItemApplier;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.placement.HostedReplicas.Hosted;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Configuration;
import dev.partita.runtime.replication.Decision;
import dev.partita.runtime.replication.Entry;
import dev.partita.runtime.replication.FromReplica;
import dev.partita.runtime.replication.Replica;
import dev.partita.runtime.replication.ReplicaEvent;
import dev.partita.runtime.replication.ReplicaSettings;
import dev.partita.runtime.replication.SnapshotWork;
import dev.partita.runtime.replication.ToReplica;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs one {@link Replica}: journals what it decides, answers when that is durable, and applies what is
 * committed to the store. Decides nothing. Handles one message at a time, and none while it persists.
 */
final class ReplicaActor extends EventSourcedBehavior<ReplicaActor.Command, ReplicaEvent, Replica> {
  /** Marks the event that stands for all events before it; the journal may forget those. */
  static final String REPLACES_HISTORY_TAG = "partita:replaces-history";

  private static final Duration APPLY_RETRY = Duration.ofMillis(500);

  /** What a replica is told. */
  sealed interface Command {}

  /** A message of the primary that {@code replyTo} runs, perhaps by way of another replica. */
  record FromPrimary(ToReplica message, ActorRef<PhysicalPartitionActor.Command> replyTo)
      implements Command {}

  /** The store holds everything through {@code through} durably. */
  record Synced(Lsn through) implements Command {}

  private enum Own implements Command {
    /** Recovery is over. */
    BOOT,
    /** The store refused a batch a while ago. */
    APPLY
  }

  static Behavior<Command> create(Hosted hosted, NodeContext node) {
    return Behaviors.setup(
        context -> Behaviors.withTimers(timers -> new ReplicaActor(context, timers, hosted, node)));
  }

  static String persistenceId(ReplicaId id) {
    return "replica|" + id.partition().value() + "|" + id.store() + "|" + id.incarnation();
  }

  private final ActorContext<Command> context;
  private final TimerScheduler<Command> timers;
  private final Hosted hosted;
  private final NodeContext node;
  private final Configuration first;
  private final LocalReplica local;
  private ReplicaRecord record;
  private boolean booted;

  private ReplicaActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Hosted hosted,
      NodeContext node) {
    super(PersistenceId.ofUniqueId(persistenceId(hosted.id())));
    node.locals().remove(hosted.id()); // what an earlier run of this replica showed to readers
    this.context = context;
    this.timers = timers;
    this.hosted = hosted;
    this.node = node;
    this.first = Configuration.of(hosted.voters());
    Bytes stored = node.store().replica(hosted.id());
    this.record = stored != null
        ? ReplicaRecord.decode(stored)
        : ReplicaRecord.initial(Base.initial(first, node.historyId()));
    this.local = new LocalReplica(hosted.id(), hosted.descriptor(), hosted.area(), record);
  }

  @Override
  public String journalPluginId() {
    return node.settings().journalPluginId();
  }

  @Override
  public String snapshotPluginId() {
    return "akka.persistence.no-snapshot-store"; // a Rebased event is all the snapshot there is
  }

  @Override
  public Set<String> tagsFor(ReplicaEvent event) {
    return event instanceof ReplicaEvent.Rebased ? Set.of(REPLACES_HISTORY_TAG) : Set.of();
  }

  @Override
  public Replica emptyState() {
    boolean stored = node.store().replica(hosted.id()) != null;
    return Replica.recover(
        hosted.id(),
        node.clusterId(),
        stored ? Optional.of(record.mark()) : Optional.empty(),
        ReplicaSettings.DEFAULT);
  }

  @Override
  public EventHandler<Replica, ReplicaEvent> eventHandler() {
    return (replica, event) -> {
      replica.apply(event);
      return replica;
    };
  }

  @Override
  public SignalHandler<Replica> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), replica -> context.getSelf().tell(Own.BOOT))
        .build();
  }

  @Override
  public CommandHandler<Command, ReplicaEvent, Replica> commandHandler() {
    return (replica, command) -> {
      if (command == Own.BOOT) {
        return boot(replica);
      }
      if (!booted) {
        return Effect().stash();
      }
      if (command instanceof FromPrimary from) {
        return receive(replica, from);
      }
      if (command instanceof Synced synced) {
        return persist(replica.rebase(synced.through()));
      }
      applyCommitted(replica);
      return Effect().none();
    };
  }

  private Effect<ReplicaEvent, Replica> boot(Replica replica) {
    List<ReplicaEvent> events = new ArrayList<>();
    replica.recovered().ifPresent(events::add);
    if (replica.quarantined().isEmpty()) {
      replica.initialVoter(first, node.historyId()).ifPresent(events::add);
    }
    replica
        .quarantined()
        .ifPresent(
            why -> context.getLog().error("replica {} is quarantined: {}", hosted.id(), why));
    return Effect()
        .persist(events)
        .thenRun(durable -> {
          events.forEach(durable::flushed);
          booted = true;
          if (durable.isInstalled() && durable.quarantined().isEmpty()) {
            node.locals().add(local);
          }
          applyCommitted(durable);
        })
        .thenUnstashAll();
  }

  private Effect<ReplicaEvent, Replica> receive(Replica replica, FromPrimary from) {
    Decision decision = replica.receive(from.message(), node.millis());
    decision
        .dropped()
        .ifPresent(why -> context.getLog().debug("{} drops {}: {}", hosted.id(), from, why));
    if (decision.event().isEmpty()) {
      finish(replica, decision, from.replyTo());
      return Effect().none();
    }
    ReplicaEvent event = decision.event().get();
    return Effect().persist(event).thenRun(durable -> {
      durable.flushed(event);
      finish(durable, decision, from.replyTo());
    });
  }

  private void finish(
      Replica replica, Decision decision, ActorRef<PhysicalPartitionActor.Command> replyTo) {
    if (decision.answer().isPresent()) {
      FromReplica answer = decision.answer().get();
      replyTo.tell(new PhysicalPartitionActor.FromMember(answer));
    }
    decision.work().ifPresent(this::move);
    applyCommitted(replica);
  }

  private void move(SnapshotWork work) {
    context
        .getLog()
        .warn(
            "{} is asked for a snapshot, which comes with the next release: {}", hosted.id(), work);
  }

  private Effect<ReplicaEvent, Replica> persist(Optional<ReplicaEvent> event) {
    return event.isEmpty()
        ? Effect().none()
        : Effect().persist(event.get()).thenRun(durable -> durable.flushed(event.get()));
  }

  /** A batch at a time; a store that refuses is asked again later, and the log goes on meanwhile. */
  private void applyCommitted(Replica replica) {
    try {
      List<Entry> entries = nextToApply(replica);
      while (!entries.isEmpty()) {
        Lsn through = entries.get(entries.size() - 1).lsn();
        record = ItemApplier.apply(
            node.store(), hosted.id(), hosted.area(), record, entries, replica.markAt(through));
        replica.applied(through);
        local.advance(record, replica.lastLsn(), replica.commit());
        entries = nextToApply(replica);
      }
      local.advance(record, replica.lastLsn(), replica.commit());
    } catch (StoreException e) {
      if (!timers.isTimerActive(Own.APPLY)) {
        context.getLog().error("replica {} cannot apply: {}", hosted.id(), e.getMessage());
        timers.startSingleTimer(Own.APPLY, Own.APPLY, APPLY_RETRY);
      }
    }
  }

  private List<Entry> nextToApply(Replica replica) {
    return replica.toApply(node.settings().applyEntriesMax(), node.settings().applyBytesMax());
  }
}
