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
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final Duration TRANSFER_PATIENCE = Duration.ofSeconds(30);
  private static final Duration READER_PATIENCE = Duration.ofSeconds(10);

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
  private record InstallPiece(
      ToReplica message, ActorRef<PhysicalPartitionActor.Command> primary, ActorRef<Command> source)
      implements Command {}

  /** The target has taken the last piece of a transfer and waits for the next. */
  private record PieceTaken(Uid transferId) implements Command {}

  /** The store was switched to a snapshot and is synced. */
  private record Switched(
      Uid transferId, ReplicaRecord record, ActorRef<PhysicalPartitionActor.Command> primary)
      implements Command {}

  private record SwitchFailed(String why) implements Command {}

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
  private final Map<Uid, Outgoing> outgoing = new HashMap<>();
  private @Nullable SnapshotTarget incoming;
  private @Nullable Obsolete obsolete;
  private ReplicaRecord record;
  private boolean booted;
  private boolean listed;
  private ToReplica.@Nullable Append heard;

  /** A snapshot on its way to another replica. */
  private record Outgoing(
      SnapshotSource source,
      ActorRef<Command> target,
      ActorRef<PhysicalPartitionActor.Command> primary) {}

  /** Items that a snapshot replaced; kept until no reader can be on its way to them. */
  private record Obsolete(long slot, long sinceMillis) {}

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
    Bytes stored = node.store().replica(hosted.id());
    this.record = stored != null
        ? ReplicaRecord.decode(stored)
        : ReplicaRecord.initial(hosted.area().slot(), Base.initial(first, node.historyId()));
    this.local = node.locals().open(hosted.id(), hosted.descriptor(), record);
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
        .onSignal(PostStop.instance(), replica -> closeOutgoing())
        .onSignal(PreRestart.instance(), replica -> closeOutgoing())
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
            replica, piece.message(), piece.primary(), work -> install(replica, work, piece));
      }
      if (command instanceof SendSnapshotTo order) {
        return receive(replica, order.message(), order.primary(), work -> send(work, order));
      }
      if (command instanceof PieceTaken taken) {
        sendNext(taken.transferId());
      } else if (command instanceof Switched switched) {
        return switched(replica, switched);
      } else if (command instanceof SwitchFailed failed) {
        throw new StoreException(failed.why(), new IllegalStateException("a flush failed"));
      } else if (command instanceof Synced synced) {
        deleteObsolete();
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

  // Snapshots.

  private void unexpected(SnapshotWork work) {
    throw new InvariantViolation("R5", hosted.id() + ": snapshot work of a plain message: " + work);
  }

  private void send(SnapshotWork work, SendSnapshotTo order) {
    if (!(work instanceof SnapshotWork.Send send)) {
      unexpected(work);
      return;
    }
    long now = node.millis();
    outgoing.values().removeIf(other -> isStale(other, send.target(), now));
    SnapshotSource source = new SnapshotSource(
        node, hosted.id(), hosted.descriptor(), record, send.epoch(), send.target());
    outgoing.put(source.transferId(), new Outgoing(source, order.target(), order.primary()));
    context
        .getLog()
        .info("{} sends a snapshot at {} to {}", hosted.id(), record.applied(), send.target());
    order.target().tell(new InstallPiece(source.begin(), order.primary(), context.getSelf()));
  }

  private static boolean isStale(Outgoing other, ReplicaId target, long now) {
    boolean stale = other.source().target().equals(target)
        || now - other.source().usedAtMillis() > TRANSFER_PATIENCE.toMillis();
    if (stale) {
      other.source().close();
    }
    return stale;
  }

  private void sendNext(Uid transferId) {
    Outgoing transfer = outgoing.get(transferId);
    if (transfer == null) {
      return; // given up meanwhile; the primary orders another one
    }
    ToReplica piece = transfer.source().next(node.millis());
    transfer.target().tell(new InstallPiece(piece, transfer.primary(), context.getSelf()));
    if (piece instanceof ToReplica.InstallEnd) {
      outgoing.remove(transferId);
      transfer.source().close();
    }
  }

  private void closeOutgoing() {
    outgoing.values().forEach(transfer -> transfer.source().close());
    outgoing.clear();
  }

  private void install(Replica replica, SnapshotWork work, InstallPiece piece) {
    SnapshotTarget open = incoming;
    if (work instanceof SnapshotWork.Stage stage) {
      deleteObsoleteNow();
      Area current = new Area(hosted.descriptor().lineage(), record.slot());
      incoming = new SnapshotTarget(node.store(), hosted.id(), current, stage.base());
      piece.source().tell(new PieceTaken(stage.transferId()));
    } else if (work instanceof SnapshotWork.StageChunk chunk && open != null) {
      open.take(chunk.index(), chunk.data());
      piece.source().tell(new PieceTaken(chunk.transferId()));
    } else if (work instanceof SnapshotWork.Switch change && open != null) {
      ReplicaRecord installed = open.switchFrom(record);
      context.pipeToSelf(
          node.store().flush(),
          (nothing, failure) -> failure == null
              ? new Switched(change.transferId(), installed, piece.primary())
              : new SwitchFailed(String.valueOf(failure.getMessage())));
    } else {
      throw new InvariantViolation(
          "R6", replica.self() + ": " + work.getClass().getSimpleName() + " without a transfer");
    }
  }

  private Effect<ReplicaEvent, Replica> switched(Replica replica, Switched switched) {
    obsolete = new Obsolete(record.slot(), node.millis());
    incoming = null;
    record = switched.record();
    context.getLog().info("{} has a snapshot at {}", hosted.id(), record.applied());
    Decision decision = replica.installed(switched.transferId());
    return carryOut(replica, decision, switched.primary(), this::unexpected);
  }

  private void deleteObsolete() {
    Obsolete old = obsolete;
    if (old != null && node.millis() - old.sinceMillis() > READER_PATIENCE.toMillis()) {
      deleteObsoleteNow();
    }
  }

  private void deleteObsoleteNow() {
    Obsolete old = obsolete;
    if (old != null) {
      obsolete = null;
      ReplicaStore.Batch batch = node.store().batch();
      batch.deleteAreas(hosted.descriptor().lineage(), old.slot(), old.slot() + 1);
      batch.write();
    }
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
    } catch (StoreException e) {
      if (!timers.isTimerActive(Own.APPLY)) {
        context.getLog().error("replica {} cannot apply: {}", hosted.id(), e.getMessage());
        timers.startSingleTimer(Own.APPLY, Own.APPLY, APPLY_RETRY);
      }
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
