package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.FromReplica.Appended;
import dev.partita.runtime.replication.ToReplica.InstallBegin;
import dev.partita.runtime.replication.ToReplica.InstallChunk;
import dev.partita.runtime.replication.ToReplica.InstallEnd;
import dev.partita.runtime.replication.ToReplica.SendSnapshot;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives a replica's state to another, and takes another's in (R5, R6). The shell moves the data. */
final class Snapshots {
  private final ReplicaState state;
  private @Nullable Transfer transfer;

  /** A snapshot coming in. */
  private static final class Transfer {
    final Uid id;
    final Epoch epoch;
    final Base base;
    int chunks;
    boolean switching;

    Transfer(InstallBegin begin) {
      this.id = begin.transferId();
      this.epoch = begin.epoch();
      this.base = begin.base();
    }
  }

  Snapshots(ReplicaState state) {
    this.state = state;
  }

  /** Whether the shell is switching its store. */
  boolean isSwitching() {
    return transfer != null && transfer.switching;
  }

  Decision send(SendSnapshot request) {
    if (request.epoch().compareTo(state.promised) < 0) {
      return state.refuse(request.epoch(), RefusalReason.EPOCH); // R5
    }
    if (state.history == null) {
      return state.refuse(request.epoch(), RefusalReason.EMPTY);
    }
    return Decision.work(
        Optional.empty(), new SnapshotWork.Send(request.epoch(), request.target()));
  }

  Decision begin(InstallBegin begin) {
    int order = begin.epoch().compareTo(state.promised);
    if (order < 0 || begin.base().epoch().compareTo(begin.epoch()) > 0) {
      return state.refuse(begin.epoch(), RefusalReason.EPOCH); // R6.1
    }
    state.heardAt = state.now;
    if (isHeld(begin.base())) {
      return held(begin.epoch(), begin.base());
    }
    Optional<ReplicaEvent> event = order == 0
        ? Optional.empty()
        : Optional.of(state.make(new ReplicaEvent.Promised(begin.epoch())));
    transfer = new Transfer(begin);
    return Decision.work(event, new SnapshotWork.Stage(begin.transferId(), begin.base()));
  }

  Decision chunk(InstallChunk chunk) {
    if (chunk.epoch().compareTo(state.promised) < 0) {
      return state.refuse(chunk.epoch(), RefusalReason.EPOCH);
    }
    var open = transfer;
    if (open == null || !open.id.equals(chunk.transferId()) || chunk.index() > open.chunks) {
      return Decision.drop(DropReason.OTHER_TRANSFER); // the primary asks again in its time
    }
    if (chunk.index() < open.chunks) {
      return Decision.drop(DropReason.DUPLICATE);
    }
    state.heardAt = state.now;
    open.chunks++;
    return Decision.work(
        Optional.empty(), new SnapshotWork.StageChunk(open.id, chunk.index(), chunk.data()));
  }

  Decision end(InstallEnd end) {
    if (end.epoch().compareTo(state.promised) < 0) {
      return state.refuse(end.epoch(), RefusalReason.EPOCH);
    }
    var open = transfer;
    if (open == null || !open.id.equals(end.transferId()) || end.chunks() != open.chunks) {
      return Decision.drop(DropReason.OTHER_TRANSFER);
    }
    if (isHeld(open.base)) { // R6.3: the log may have come another way in the meantime
      transfer = null;
      return held(end.epoch(), open.base);
    }
    open.switching = true;
    return Decision.work(Optional.empty(), new SnapshotWork.Switch(open.id, open.base));
  }

  Decision installed(Uid transferId) {
    var done = transfer;
    if (done == null || !done.switching || !done.id.equals(transferId)) {
      throw new IllegalStateException("no store is being switched to " + transferId);
    }
    transfer = null;
    var base = done.base;
    var history = state.history;
    long at = base.lsn().value();
    boolean keep = history != null && history.holds(base); // R6.4
    var suffix = keep ? state.installed().log().above(at) : List.<Entry>of();
    var event = state.make(new ReplicaEvent.Rebased(state.promised, base, suffix));
    state.applied = at;
    state.commit = Math.max(state.commit, at); // R6.5
    state.verified = Math.max(state.verified, at);
    return state.answer(Optional.of(event), appended(done.epoch, base));
  }

  private boolean isHeld(Base base) {
    return state.history != null && base.lsn().value() <= state.commit;
  }

  private Decision held(Epoch epoch, Base base) {
    return state.answer(appended(epoch, base)); // R6.2
  }

  private Appended appended(Epoch epoch, Base base) {
    return new Appended(state.clusterId, state.self, epoch, base.lsn(), -1);
  }
}
