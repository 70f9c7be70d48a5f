package dev.partita.runtime.item;

import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.ResourceId;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Entry;
import dev.partita.runtime.replication.EntryKind;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import java.util.List;

/** Brings committed entries into the store of a replica: a function of the entries alone (R10). */
public final class ItemApplier {
  private ItemApplier() {}

  /**
   * Writes the effect of {@code entries} and the record that says so, in one batch.
   *
   * @param before the replica's record before these entries
   * @param entries committed, durable in the replica's log, the next after {@code before}
   * @param mark of the last of them
   * @return the record after them
   * @throws dev.partita.runtime.store.StoreException when the store refuses; then nothing is applied
   */
  public static ReplicaRecord apply(
      ReplicaStore store,
      ReplicaId replica,
      Area area,
      ReplicaRecord before,
      List<Entry> entries,
      Base mark) {
    ReplicaStore.Batch batch = store.batch();
    long items = before.items();
    long bytes = before.bytes();
    long ridCounter = before.ridCounter();
    for (Entry entry : entries) {
      if (entry.kind() != EntryKind.WRITE) {
        continue; // the others change no item
      }
      for (ItemMutation mutation : WriteBody.decode(entry.body()).mutations()) {
        put(batch, area, entry, mutation);
        items += mutation.delta().items();
        bytes += mutation.delta().bytes();
        ridCounter = Math.max(ridCounter, mutation.number() % ResourceId.ITEM_COUNTER_LIMIT);
      }
    }
    ReplicaRecord after = new ReplicaRecord(before.slot(), mark, items, bytes, ridCounter);
    batch.putReplica(replica, after.encode());
    batch.write();
    return after;
  }

  private static void put(ReplicaStore.Batch batch, Area area, Entry entry, ItemMutation mutation) {
    ItemKey key =
        new ItemKey(mutation.effectivePartitionKey(), mutation.partitionKey(), mutation.id());
    if (mutation.kind() == ItemMutation.Kind.PUT) {
      batch.putItem(area, key, StoredItem.of(entry.lsn(), mutation).encode());
    } else {
      batch.deleteItem(area, key);
    }
    LogicalSize size = mutation.logicalSize();
    if (size.items() == 0) {
      batch.deleteLogicalSize(area, mutation.effectivePartitionKey(), mutation.partitionKey());
    } else {
      batch.putLogicalSize(
          area, mutation.effectivePartitionKey(), mutation.partitionKey(), size.encode());
    }
  }
}
