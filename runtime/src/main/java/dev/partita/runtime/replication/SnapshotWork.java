package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;

/** What a replica's shell has to move for a snapshot; the replica decides, the shell holds the data. */
public sealed interface SnapshotWork {
  /**
   * Take a snapshot of the store now, before the next message, and send it to {@code target} as Install
   * messages of {@code epoch}, labelled with the store's own mark (R5).
   */
  record Send(Epoch epoch, ReplicaId target) implements SnapshotWork {}

  /** Open a fresh slot for the transfer, and delete one that another transfer left. */
  record Stage(Uid transferId, Base base) implements SnapshotWork {}

  /** Put a piece into the slot. */
  record StageChunk(Uid transferId, int index, Bytes data) implements SnapshotWork {}

  /**
   * All pieces are there: switch the store to the slot, data and mark {@code base} in one synced step, then
   * call {@link Replica#installed}. Until then the replica drops everything.
   */
  record Switch(Uid transferId, Base base) implements SnapshotWork {}
}
