package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.List;

/**
 * What a replica is asked (replication.md 4.5). {@link ToAny} is for whatever replica of the partition a host
 * has, {@link ToOne} for exactly one replica (R0).
 */
public sealed interface ToReplica {
  /** Fixed when the cluster was born; a message of another cluster is dropped. */
  Uid clusterId();

  PhysicalPartitionId partition();

  /** Of the primary that asks; zero for a {@link Probe}, which has none yet. */
  Epoch epoch();

  <T> T accept(Handler<T> handler);

  /** A case for each message: a new one does not compile until it is handled. */
  interface Handler<T> {
    T onProbe(Probe probe);

    T onPrepare(Prepare prepare);

    T onFetch(Fetch fetch);

    T onAppend(Append append);

    T onConfirm(Confirm confirm);

    T onSendSnapshot(SendSnapshot request);

    T onInstallBegin(InstallBegin begin);

    T onInstallChunk(InstallChunk chunk);

    T onInstallEnd(InstallEnd end);
  }

  /** For whatever replica of the partition a host has. */
  sealed interface ToAny extends ToReplica {}

  /** For the replica {@link #to} and nobody else, from the primary of {@link #epoch}. */
  sealed interface ToOne extends ToReplica {
    ReplicaId to();

    @Override
    default PhysicalPartitionId partition() {
      return to().partition();
    }
  }

  /**
   * Asks what the replica knows (L2). Promises nothing.
   *
   * @param attempt echoed, so that answers to an earlier attempt are told apart
   */
  record Probe(Uid clusterId, PhysicalPartitionId partition, Uid attempt) implements ToAny {
    @Override
    public Epoch epoch() {
      return Epoch.ZERO;
    }

    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onProbe(this);
    }
  }

  /** Asks to accept nothing below {@code epoch} any more, and for the end of the log (R1). */
  record Prepare(Uid clusterId, PhysicalPartitionId partition, Epoch epoch) implements ToAny {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onPrepare(this);
    }
  }

  /**
   * Asks for entries from {@code fromLsn} on (R4).
   *
   * @param bytesMax at least one entry is answered even if it is larger
   */
  record Fetch(Uid clusterId, ReplicaId to, Epoch epoch, Lsn fromLsn, long bytesMax)
      implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onFetch(this);
    }
  }

  /**
   * Entries to accept after {@code prevLsn}, and how far the log is committed (R2). Empty as a heartbeat.
   *
   * @param prevEpoch epoch of the entry at {@code prevLsn}
   * @param entries contiguous from {@code prevLsn} + 1
   * @param round the newest confirm round, echoed
   */
  record Append(
      Uid clusterId,
      ReplicaId to,
      Epoch epoch,
      Lsn prevLsn,
      Epoch prevEpoch,
      List<Entry> entries,
      Lsn commitLsn,
      long round)
      implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onAppend(this);
    }
  }

  /** Asks whether anything above {@code epoch} is promised (R3). */
  record Confirm(Uid clusterId, ReplicaId to, Epoch epoch, long round) implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onConfirm(this);
    }
  }

  /** Asks {@code to} to send a snapshot of its store to {@code target} (R5). */
  record SendSnapshot(Uid clusterId, ReplicaId to, Epoch epoch, ReplicaId target) implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onSendSnapshot(this);
    }
  }

  /**
   * Opens a snapshot transfer (R6), in the name of the primary of {@code epoch}: what a {@code SendSnapshot}
   * made another replica send. Answers go to the primary.
   *
   * @param base what the snapshot holds, exactly: the source's applied LSN, never its commit
   */
  record InstallBegin(Uid clusterId, ReplicaId to, Epoch epoch, Uid transferId, Base base)
      implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onInstallBegin(this);
    }
  }

  /**
   * The next piece of a snapshot.
   *
   * @param index 0, 1, 2 ...
   */
  record InstallChunk(
      Uid clusterId, ReplicaId to, Epoch epoch, Uid transferId, int index, Bytes data)
      implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onInstallChunk(this);
    }
  }

  /**
   * Closes a snapshot transfer.
   *
   * @param chunks how many pieces it had
   */
  record InstallEnd(Uid clusterId, ReplicaId to, Epoch epoch, Uid transferId, int chunks)
      implements ToOne {
    @Override
    public <T> T accept(Handler<T> handler) {
      return handler.onInstallEnd(this);
    }
  }
}
