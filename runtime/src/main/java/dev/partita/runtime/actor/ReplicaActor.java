package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.PreRestart;
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
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostedReplicas.Hosted;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Configuration;
import dev.partita.runtime.replication.Decision;
import dev.partita.runtime.replication.Entry;
import dev.partita.runtime.replication.FromReplica;
import dev.partita.runtime.replication.InvariantViolation;
import dev.partita.runtime.replication.Replica;
import dev.partita.runtime.replication.ReplicaEvent;
import dev.partita.runtime.replication.SnapshotWork;
import dev.partita.runtime.replication.ToReplica;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  /** Order of the primary to send a snapshot of this replica to {@code target} (R5). */
  record SendSnapshotTo(
      ToReplica.SendSnapshot message,
      ActorRef<Command> target,
      ActorRef<PhysicalPartitionActor.Command> primary)
      implements Command {}

  /** A piece of the snapshot that {@code source} sends; answers go to the primary. */
  record InstallPiece(
      ToReplica message, ActorRef<PhysicalPartitionActor.Command> primary, ActorRef<Command> source)
      implements Command {}

  /** The target has taken the last piece of a transfer and waits for the next. */
  record PieceTaken(Uid transferId) implements Command {}

  /** The store was switched to a snapshot and is synced. */
  record Switched(
      Uid transferId, ReplicaRecord record, ActorRef<PhysicalPartitionActor.Command> primary)
      implements Command {}

  record SwitchFailed(String why) implements Command {}

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
  private final SnapshotTransfers snapshots;
  private ReplicaRecord record;
  private boolean booted;
  private boolean refused;
  private boolean listed;
  private ToReplica.@Nullable Append heard;

  private ReplicaActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      Hosted hosted,
      NodeContext node) {
    super(PersistenceId.ofUniqueId(persistenceId(hosted.id())));
    this.context = context;
    this.timers = timers;
    this.hosted = hosted;
    this.node = node;
    this.first = Configuration.of(hosted.voters());
    this.snapshots = new SnapshotTransfers(context, hosted, node);
    Bytes stored = node.store().replica(hosted.id());
    this.record = stored != null
        ? ReplicaRecord.decode(stored)
        : ReplicaRecord.initial(hosted.area().slot(), Base.initial(first, node.historyId()));
    this.local = node.locals().open(hosted.id(), hosted.descriptor(), record);
    this.listed = node.locals().isListed(local);
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
        node.settings().replica());
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
        .onSignal(PostStop.instance(), replica -> snapshots.close())
        .onSignal(PreRestart.instance(), replica -> snapshots.close())
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
        if (from.message() instanceof ToReplica.Append append) {
          heard = append;
        }
        return receive(replica, from.message(), from.replyTo(), this::unexpected);
      }
      if (command instanceof InstallPiece piece) {
        return receive(
            replica,
            piece.message(),
            piece.primary(),
            work -> snapshots.install(work, piece, record));
      }
      if (command instanceof SendSnapshotTo order) {
        return receive(
            replica, order.message(), order.primary(), work -> snapshots.send(work, order, record));
      }
      if (command instanceof PieceTaken taken) {
        snapshots.sendNext(taken.transferId());
      } else if (command instanceof Switched switched) {
        return switched(replica, switched);
      } else if (command instanceof SwitchFailed failed) {
        throw new StoreException(failed.why(), new IllegalStateException("a flush failed"));
      } else if (command instanceof Synced synced) {
        snapshots.deleteObsolete();
        return persist(replica.rebase(synced.through()));
      } else {
        applyCommitted(replica);
      }
      return Effect().none();
    };
  }

  private Effect<ReplicaEvent, Replica> boot(Replica replica) {
    List<ReplicaEvent> events = new ArrayList<>();
    replica.recovered().ifPresent(events::add);
    if (!events.isEmpty()) {
      node.store().flush().toCompletableFuture().join(); // the event says that the store is durable
    }
    if (record.slot() > hosted.area().slot()) {
      snapshots.deleteSlots(
          hosted.area().slot(), record.slot()); // what a snapshot replaced before a crash
    }
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
          applyCommitted(durable);
        })
        .thenUnstashAll();
  }

  private Effect<ReplicaEvent, Replica> receive(
      Replica replica,
      ToReplica message,
      ActorRef<PhysicalPartitionActor.Command> primary,
      Consumer<SnapshotWork> work) {
    Decision decision = replica.receive(message, node.millis());
    decision
        .dropped()
        .ifPresent(why -> context.getLog().debug("{} drops {}: {}", hosted.id(), message, why));
    return carryOut(replica, decision, primary, work);
  }

  private Effect<ReplicaEvent, Replica> carryOut(
      Replica replica,
      Decision decision,
      ActorRef<PhysicalPartitionActor.Command> primary,
      Consumer<SnapshotWork> work) {
    if (decision.event().isEmpty()) {
      finish(replica, decision, primary, work);
      return Effect().none();
    }
    ReplicaEvent event = decision.event().get();
    return Effect().persist(event).thenRun(durable -> {
      durable.flushed(event);
      finish(durable, decision, primary, work);
    });
  }

  private void finish(
      Replica replica,
      Decision decision,
      ActorRef<PhysicalPartitionActor.Command> primary,
      Consumer<SnapshotWork> work) {
    if (decision.answer().isPresent()) {
      FromReplica answer = decision.answer().get();
      primary.tell(new PhysicalPartitionActor.FromMember(answer));
    }
    decision.work().ifPresent(work);
    applyCommitted(replica);
  }

  private void unexpected(SnapshotWork work) {
    throw new InvariantViolation("R5", hosted.id() + ": snapshot work of a plain message: " + work);
  }

  private Effect<ReplicaEvent, Replica> switched(Replica replica, Switched switched) {
    snapshots.switched(record);
    record = switched.record();
    context.getLog().info("{} has a snapshot at {}", hosted.id(), record.applied());
    Decision decision = replica.installed(switched.transferId());
    return carryOut(replica, decision, switched.primary(), this::unexpected);
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
            node.store(),
            hosted.id(),
            hosted.descriptor().lineage(),
            record,
            entries,
            replica.markAt(through));
        replica.applied(through);
        local.advance(record, replica.lastLsn(), replica.commit());
        entries = nextToApply(replica);
      }
      local.advance(record, replica.lastLsn(), replica.commit());
      listOnceCurrent();
      if (refused) {
        refused = false;
        context.getLog().info("replica {} applies again", hosted.id());
      }
    } catch (StoreException e) {
      if (!refused) {
        refused = true;
        context.getLog().error("replica {} cannot apply: {}", hosted.id(), e.getMessage());
      }
      timers.startSingleTimer(Own.APPLY, Own.APPLY, APPLY_RETRY);
    }
  }

  /**
   * Shows the replica to readers once it has applied what a primary in service has committed: after a start
   * the store may lack what was acknowledged long ago.
   */
  private void listOnceCurrent() {
    ToReplica.Append append = heard;
    heard = null;
    boolean current = append != null
        && record.mark().epoch().equals(append.epoch()) // so that primary's first entry is applied
        && !append.commitLsn().isAfter(record.applied());
    if (current && !listed) {
      listed = true;
      node.locals().list(local);
    }
  }

  private List<Entry> nextToApply(Replica replica) {
    return replica.toApply(node.settings().applyEntriesMax(), node.settings().applyBytesMax());
  }
}
