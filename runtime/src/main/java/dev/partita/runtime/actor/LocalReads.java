package dev.partita.runtime.actor;

import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.item.StoredItem;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Reads at one replica of this node. Waits for the disk if it must. */
final class LocalReads {
  private LocalReads() {}

  static ItemAnswer item(
      NodeContext node,
      LocalReplica replica,
      ItemKey key,
      @Nullable String ifNoneMatch,
      ReadConsistency consistency) {
    Lsn applied = replica.applied(); // before the read: what it finds may only be newer
    Bytes value;
    try {
      value = node.store().item(replica.area(), key);
    } catch (StoreException e) {
      return new ItemAnswer.Unavailable(e.getMessage());
    }
    boolean doubled = isDoubled(consistency);
    if (value == null) {
      return new ItemAnswer.NotFound(
          served(replica, applied, Lsn.ZERO, node.charges().emptyRead(doubled)));
    }
    StoredItem item = StoredItem.decode(value);
    Served served = served(
        replica,
        Lsn.max(applied, item.lsn()),
        item.lsn(),
        node.charges().pointRead(item.document().length(), doubled));
    return item.etag().equals(ifNoneMatch)
        ? new ItemAnswer.NotModified(item.etag(), served)
        : new ItemAnswer.Done(ItemAnswer.Outcome.READ, item.document(), item.etag(), served);
  }

  static boolean isDoubled(ReadConsistency consistency) {
    return consistency.level() == Level.STRONG || consistency.level() == Level.BOUNDED_STALENESS;
  }

  static Served served(LocalReplica replica, double charge) {
    return served(replica, replica.applied(), Lsn.ZERO, charge);
  }

  /** What the store says of the replica at the moment of the snapshot. */
  static ReplicaRecord record(ReplicaStore.Snapshot snapshot, LocalReplica replica) {
    Bytes record = snapshot.replica(replica.id());
    return record == null ? replica.record() : ReplicaRecord.decode(record);
  }

  static Served served(LocalReplica replica, Lsn lsn, Lsn itemLsn, double charge) {
    return new Served(
        replica.descriptor().rangeId(), lsn, Lsn.max(lsn, replica.committed()), itemLsn, charge);
  }
}
