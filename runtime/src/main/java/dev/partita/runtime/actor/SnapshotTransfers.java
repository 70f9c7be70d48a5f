package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.ActorContext;
import dev.partita.runtime.actor.ReplicaActor.Command;
import dev.partita.runtime.actor.ReplicaActor.InstallPiece;
import dev.partita.runtime.actor.ReplicaActor.PieceTaken;
import dev.partita.runtime.actor.ReplicaActor.SendSnapshotTo;
import dev.partita.runtime.actor.ReplicaActor.SwitchFailed;
import dev.partita.runtime.actor.ReplicaActor.Switched;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostedReplicas.Hosted;
import dev.partita.runtime.replication.InvariantViolation;
import dev.partita.runtime.replication.SnapshotWork;
import dev.partita.runtime.replication.ToReplica;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that one replica sends and the one that it takes in. A piece at a time: the target says when
 * it has taken one, so that no more than one is under way. Does what the replica decided; decides nothing.
 */
final class SnapshotTransfers {
  private static final Duration TRANSFER_PATIENCE = Duration.ofSeconds(30);
  private static final Duration READER_PATIENCE = Duration.ofSeconds(10);

  private final ActorContext<Command> context;
  private final Hosted hosted;
  private final NodeContext node;
  private final Map<Uid, Outgoing> outgoing = new HashMap<>();
  private @Nullable SnapshotTarget incoming;
  private @Nullable Obsolete obsolete;

  /** A snapshot on its way to another replica. */
  private record Outgoing(
      SnapshotSource source,
      ActorRef<Command> target,
      ActorRef<PhysicalPartitionActor.Command> primary) {}

  /** Items that a snapshot replaced; kept until no reader can be on its way to them. */
  private record Obsolete(long slot, long sinceMillis) {}

  SnapshotTransfers(ActorContext<Command> context, Hosted hosted, NodeContext node) {
    this.context = context;
    this.hosted = hosted;
    this.node = node;
  }

  /** Begins to send the store as it is now. */
  void send(SnapshotWork work, SendSnapshotTo order, ReplicaRecord record) {
    if (!(work instanceof SnapshotWork.Send send)) {
      throw new InvariantViolation("R5", hosted.id() + ": an order to send became " + work);
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

  /** The target has taken the last piece. */
  void sendNext(Uid transferId) {
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

  /** Takes a piece in. The actor is told when the store has been switched. */
  void install(SnapshotWork work, InstallPiece piece, ReplicaRecord record) {
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
          "R6", hosted.id() + ": " + work.getClass().getSimpleName() + " without a transfer");
    }
  }

  /** The store was switched away from {@code old}. */
  void switched(ReplicaRecord old) {
    obsolete = new Obsolete(old.slot(), node.millis());
    incoming = null;
  }

  /** Deletes what a snapshot replaced, if it has been long enough. */
  void deleteObsolete() {
    Obsolete old = obsolete;
    if (old != null && node.millis() - old.sinceMillis() > READER_PATIENCE.toMillis()) {
      deleteObsoleteNow();
    }
  }

  private void deleteObsoleteNow() {
    Obsolete old = obsolete;
    if (old != null) {
      obsolete = null;
      deleteSlots(old.slot(), old.slot() + 1);
    }
  }

  void deleteSlots(long from, long toExclusive) {
    ReplicaStore.Batch batch = node.store().batch();
    batch.deleteAreas(hosted.descriptor().lineage(), from, toExclusive);
    batch.write();
  }

  /** Lets go of the stores it was sending. */
  void close() {
    outgoing.values().forEach(transfer -> transfer.source().close());
    outgoing.clear();
  }
}
