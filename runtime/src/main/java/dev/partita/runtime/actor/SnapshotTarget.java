package dev.partita.runtime.actor;

import dev.partita.runtime.item.LogicalSize;
import dev.partita.runtime.item.SizeDelta;
import dev.partita.runtime.item.SnapshotChunk;
import dev.partita.runtime.item.StoredItem;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.ReplicaStore.Scan.Found;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another replica's state coming in (R6): items go to the next slot of this replica, where nobody looks,
 * until the record that names the slot is written. A transfer that does not end leaves a slot that the next
 * one clears.
 */
final class SnapshotTarget {
  private final ReplicaStore store;
  private final ReplicaId replica;
  private final Base base;
  private final Area staging;
  private @Nullable ReplicaRecord source;
  private @Nullable ItemKey logical;
  private LogicalSize logicalSize = LogicalSize.EMPTY;
  private long items;
  private long bytes;

  SnapshotTarget(ReplicaStore store, ReplicaId replica, Area current, Base base) {
    this.store = store;
    this.replica = replica;
    this.base = base;
    this.staging = new Area(current.lineage(), current.slot() + 1);
    ReplicaStore.Batch batch = store.batch();
    batch.deleteAreas(staging.lineage(), staging.slot(), staging.slot() + 1);
    batch.write();
  }

  void take(int index, Bytes data) {
    if (index == 0) {
      source = ReplicaRecord.decode(data);
      return;
    }
    List<Found> found = SnapshotChunk.decode(data);
    ReplicaStore.Batch batch = store.batch();
    for (Found item : found) {
      int documentBytes = StoredItem.decode(item.value()).document().length();
      if (logical != null && !isSameLogicalPartition(logical, item.key())) {
        putLogicalSize(batch, logical);
        logicalSize = LogicalSize.EMPTY;
      }
      logical = item.key();
      logicalSize = logicalSize.plus(new SizeDelta(1, documentBytes));
      items++;
      bytes += documentBytes;
      batch.putItem(staging, item.key(), item.value().toArray());
    }
    if (logical != null) {
      putLogicalSize(batch, logical); // perhaps not the last word; the next chunk corrects it
    }
    batch.write();
  }

  private static boolean isSameLogicalPartition(ItemKey a, ItemKey b) {
    return a.effectivePartitionKey().equals(b.effectivePartitionKey())
        && a.partitionKey().equals(b.partitionKey());
  }

  private void putLogicalSize(ReplicaStore.Batch batch, ItemKey key) {
    batch.putLogicalSize(
        staging, key.effectivePartitionKey(), key.partitionKey(), logicalSize.encode());
  }

  /**
   * Makes the staged items the replica's own, in the place of those it has; durable after the next flush of
   * the store.
   *
   * @throws IllegalStateException when what has come is not what the source had
   */
  ReplicaRecord switchFrom(ReplicaRecord old) {
    ReplicaRecord from = source;
    if (from == null || from.items() != items || from.bytes() != bytes) {
      throw new IllegalStateException(
          "a snapshot of " + items + " items and " + bytes + " bytes, but the source says " + from);
    }
    ReplicaRecord installed = new ReplicaRecord(
        staging.slot(), base, items, bytes, Math.max(from.ridCounter(), old.ridCounter()));
    ReplicaStore.Batch batch = store.batch();
    batch.putReplica(replica, installed.encode());
    batch.write();
    return installed;
  }
}
