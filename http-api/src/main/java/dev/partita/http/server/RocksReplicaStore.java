package dev.partita.http.server;

import dev.partita.persistence.engine.ItemBatch;
import dev.partita.persistence.engine.ItemSnapshot;
import dev.partita.persistence.engine.ItemStore;
import dev.partita.persistence.engine.ScanKind;
import dev.partita.persistence.keyspace.KeyRange;
import dev.partita.persistence.keyspace.StoreKey;
import dev.partita.persistence.keyspace.StoreKeys;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The runtime's store over the item store of module persistence: the one place where the two meet. */
final class RocksReplicaStore implements ReplicaStore {
  private final ItemStore store;
  private final AtomicLong unflushed = new AtomicLong();

  RocksReplicaStore(ItemStore store) {
    this.store = store;
  }

  @Override
  public @Nullable Bytes item(Area area, ItemKey key) {
    return read(() -> store.item(itemKey(area, key)));
  }

  @Override
  public @Nullable Bytes logicalSize(Area area, Bytes effectivePartitionKey, Bytes partitionKey) {
    return read(() -> store.logical(logicalKey(area, effectivePartitionKey, partitionKey)));
  }

  @Override
  public @Nullable Bytes replica(ReplicaId id) {
    return read(() -> store.replica(replicaKey(id)));
  }

  @Override
  public Batch batch() {
    return new RocksBatch(store.newBatch());
  }

  @Override
  public Snapshot snapshot() {
    try {
      return new RocksSnapshot(store.snapshot());
    } catch (dev.partita.persistence.engine.StoreException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
  }

  private static final class RocksSnapshot implements Snapshot {
    private final ItemSnapshot snapshot;

    RocksSnapshot(ItemSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public @Nullable Bytes replica(ReplicaId id) {
      return read(() -> snapshot.replica(replicaKey(id)));
    }

    @Override
    public Scan scan(Area area, ScanRange range, int itemsMax, long bytesMax) {
      KeyRange keys = keys(area, range);
      ItemKey after = range.after();
      byte[] from = keys.from();
      if (after != null) {
        byte[] next = StoreKeys.after(itemKey(area, after));
        from = Arrays.compareUnsigned(next, from) > 0 ? next : from;
      }
      Page page = new Page(itemsMax, bytesMax);
      if (Arrays.compareUnsigned(from, keys.toExclusive()) < 0) {
        try {
          snapshot.scanItems(from, keys.toExclusive(), ScanKind.PAGE, page::visit);
        } catch (dev.partita.persistence.engine.StoreException e) {
          throw new StoreException(String.valueOf(e.getMessage()), e);
        }
      }
      return new Scan(page.items, page.more);
    }

    @Override
    public void close() {
      snapshot.close();
    }
  }

  private static KeyRange keys(Area area, ScanRange range) {
    Bytes partitionKey = range.partitionKey();
    return partitionKey == null
        ? StoreKeys.range(
            area.lineage(),
            area.slot(),
            range.minInclusive().toArray(),
            range.maxExclusive().toArray())
        : StoreKeys.logicalPartition(
            area.lineage(), area.slot(), range.minInclusive().toArray(), partitionKey.toArray());
  }

  /** Collects a page; looks one item beyond it to know whether there is more. */
  private static final class Page {
    private final int itemsMax;
    private final long bytesMax;
    private final List<Scan.Found> items = new ArrayList<>();
    private long bytes;
    private boolean more;

    Page(int itemsMax, long bytesMax) {
      this.itemsMax = itemsMax;
      this.bytesMax = bytesMax;
    }

    boolean visit(byte[] key, byte[] value) {
      boolean full =
          items.size() >= itemsMax || (!items.isEmpty() && bytes + value.length > bytesMax);
      if (full) {
        more = true;
        return false;
      }
      StoreKey parts = StoreKey.of(key);
      items.add(new Scan.Found(
          new ItemKey(
              Bytes.wrap(parts.effectivePartitionKey()),
              Bytes.wrap(parts.partitionKey()),
              Bytes.wrap(parts.id())),
          Bytes.wrap(value)));
      bytes += value.length;
      return true;
    }
  }

  @Override
  public CompletionStage<Void> flush() {
    long covered = unflushed.get();
    return store.flushAsync().thenRun(() -> unflushed.addAndGet(-covered));
  }

  @Override
  public long unflushedBytes() {
    return unflushed.get();
  }

  private interface Read {
    byte @Nullable [] bytes();
  }

  private static @Nullable Bytes read(Read read) {
    try {
      byte[] bytes = read.bytes();
      return bytes == null ? null : Bytes.wrap(bytes);
    } catch (dev.partita.persistence.engine.StoreException e) {
      throw new StoreException(String.valueOf(e.getMessage()), e);
    }
  }

  private static byte[] itemKey(Area area, ItemKey key) {
    return StoreKeys.item(
        area.lineage(),
        area.slot(),
        key.effectivePartitionKey().toArray(),
        key.partitionKey().toArray(),
        key.id().toArray());
  }

  private static byte[] logicalKey(Area area, Bytes effectivePartitionKey, Bytes partitionKey) {
    return StoreKeys.logical(
        area.lineage(), area.slot(), effectivePartitionKey.toArray(), partitionKey.toArray());
  }

  private static byte[] replicaKey(ReplicaId id) {
    return ByteBuffer.allocate(4 * Long.BYTES)
        .putLong(id.partition().value())
        .putLong(id.store().high())
        .putLong(id.store().low())
        .putLong(id.incarnation())
        .array();
  }

  private final class RocksBatch implements Batch {
    private final ItemBatch batch;

    RocksBatch(ItemBatch batch) {
      this.batch = batch;
    }

    @Override
    public void putItem(Area area, ItemKey key, byte[] value) {
      batch.putItem(itemKey(area, key), value);
    }

    @Override
    public void deleteItem(Area area, ItemKey key) {
      batch.deleteItem(itemKey(area, key));
    }

    @Override
    public void putLogicalSize(
        Area area, Bytes effectivePartitionKey, Bytes partitionKey, byte[] value) {
      batch.putLogical(logicalKey(area, effectivePartitionKey, partitionKey), value);
    }

    @Override
    public void deleteLogicalSize(Area area, Bytes effectivePartitionKey, Bytes partitionKey) {
      batch.deleteLogical(logicalKey(area, effectivePartitionKey, partitionKey));
    }

    @Override
    public void putReplica(ReplicaId id, byte[] record) {
      batch.putReplica(replicaKey(id), record);
    }

    @Override
    public void deleteReplica(ReplicaId id) {
      batch.deleteReplica(replicaKey(id));
    }

    @Override
    public void deleteAreas(long lineage, long slotFrom, long slotToExclusive) {
      batch.deleteRange(
          StoreKeys.slot(lineage, slotFrom).from(),
          StoreKeys.slot(lineage, slotToExclusive).from());
    }

    @Override
    public void write() {
      try {
        store.write(batch);
      } catch (dev.partita.persistence.engine.StoreException e) {
        throw new StoreException(String.valueOf(e.getMessage()), e);
      }
      unflushed.addAndGet(batch.sizeBytes());
    }
  }
}
