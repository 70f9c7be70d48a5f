package dev.partita.runtime.actor;

import dev.partita.runtime.item.SnapshotChunk;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.replication.ToReplica;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.ReplicaStore.Scan;
import dev.partita.runtime.store.ReplicaStore.ScanRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replica's state on its way to another (R5): the store as it was when the transfer began, a chunk at a
 * time. The first chunk is the record, the others are items.
 */
final class SnapshotSource implements AutoCloseable {
  private static final int CHUNK_ITEMS = 1_024;
  private static final long CHUNK_BYTES = 256 << 10;

  private final Uid clusterId;
  private final ReplicaId target;
  private final Epoch epoch;
  private final Uid transferId;
  private final ReplicaStore.Snapshot snapshot;
  private final ReplicaRecord record;
  private final Area area;
  private final ScanRange all;
  private @Nullable ItemKey after;
  private int chunks;
  private boolean more = true;
  private long usedAtMillis;

  SnapshotSource(
      NodeContext node,
      ReplicaId source,
      PartitionDescriptor descriptor,
      ReplicaRecord current,
      Epoch epoch,
      ReplicaId target) {
    this.clusterId = node.clusterId();
    this.target = target;
    this.epoch = epoch;
    this.transferId = node.attempt().uid();
    this.snapshot = node.store().snapshot();
    Bytes stored = snapshot.replica(source);
    this.record = stored == null ? current : ReplicaRecord.decode(stored);
    this.area = new Area(descriptor.lineage(), record.slot());
    this.all = new ScanRange(
        EffectivePartitionKey.MIN.bytes(), EffectivePartitionKey.MAX.bytes(), null, null);
    this.usedAtMillis = node.millis();
  }

  Uid transferId() {
    return transferId;
  }

  ReplicaId target() {
    return target;
  }

  long usedAtMillis() {
    return usedAtMillis;
  }

  ToReplica.ToOne begin() {
    return new ToReplica.InstallBegin(clusterId, target, epoch, transferId, record.mark());
  }

  /** The chunk after the one that the target has taken; the end after the last. */
  ToReplica.ToOne next(long nowMillis) {
    usedAtMillis = nowMillis;
    if (chunks == 0) {
      return chunk(Bytes.wrap(record.encode()));
    }
    if (!more) {
      return new ToReplica.InstallEnd(clusterId, target, epoch, transferId, chunks);
    }
    Scan scan = snapshot.scan(
        area,
        new ScanRange(all.minInclusive(), all.maxExclusive(), null, after),
        CHUNK_ITEMS,
        CHUNK_BYTES);
    List<Scan.Found> items = scan.items();
    more = scan.more();
    if (!items.isEmpty()) {
      after = items.get(items.size() - 1).key();
    }
    return chunk(SnapshotChunk.encode(items));
  }

  private ToReplica.ToOne chunk(Bytes data) {
    return new ToReplica.InstallChunk(clusterId, target, epoch, transferId, chunks++, data);
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
