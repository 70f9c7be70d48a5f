package dev.partita.runtime.actor;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A node's store in memory, with a switch that makes it refuse writes as a full disk does. */
final class InMemoryReplicaStore implements ReplicaStore {
  private record Key(Area area, ItemKey key) {}

  private static final Comparator<Bytes> BYTES = Comparator.naturalOrder();
  private static final Comparator<Key> ORDER = Comparator.comparingLong(
          (Key key) -> key.area().lineage())
      .thenComparingLong(key -> key.area().slot())
      .thenComparing(key -> key.key().effectivePartitionKey(), BYTES)
      .thenComparing(key -> key.key().partitionKey(), BYTES)
      .thenComparing(key -> key.key().id(), BYTES);

  private final NavigableMap<Key, Bytes> items = new TreeMap<>(ORDER);
  private final NavigableMap<Key, Bytes> sizes = new TreeMap<>(ORDER);
  private final Map<ReplicaId, Bytes> replicas = new TreeMap<>();
  private volatile boolean full;

  void full(boolean value) {
    full = value;
  }

  @Override
  public synchronized @Nullable Bytes item(Area area, ItemKey key) {
    return items.get(new Key(area, key));
  }

  @Override
  public synchronized @Nullable Bytes logicalSize(Area area, Bytes epk, Bytes partitionKey) {
    return sizes.get(new Key(area, new ItemKey(epk, partitionKey, Bytes.EMPTY)));
  }

  @Override
  public synchronized @Nullable Bytes replica(ReplicaId id) {
    return replicas.get(id);
  }

  /** Items and sizes of an area, in order, for comparing replicas. */
  synchronized String contents(Area area) {
    StringBuilder all = new StringBuilder();
    items.forEach((key, value) -> {
      if (key.area().equals(area)) {
        all.append(key.key().id().utf8()).append('=').append(value.hashCode()).append('\n');
      }
    });
    sizes.forEach((key, value) -> {
      if (key.area().equals(area)) {
        all.append("size ").append(value.hashCode()).append('\n');
      }
    });
    return all.toString();
  }

  @Override
  public Snapshot snapshot() {
    NavigableMap<Key, Bytes> itemsNow = new TreeMap<>(ORDER);
    Map<ReplicaId, Bytes> replicasNow = new TreeMap<>();
    synchronized (this) {
      itemsNow.putAll(items);
      replicasNow.putAll(replicas);
    }
    return new Snapshot() {
      @Override
      public @Nullable Bytes replica(ReplicaId id) {
        return replicasNow.get(id);
      }

      @Override
      public Scan scan(Area area, ScanRange range, int itemsMax, long bytesMax) {
        return InMemoryReplicaStore.scan(itemsNow, area, range, itemsMax, bytesMax);
      }

      @Override
      public void close() {}
    };
  }

  private static Scan scan(
      NavigableMap<Key, Bytes> items, Area area, ScanRange range, int itemsMax, long bytesMax) {
    List<Scan.Found> found = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Key, Bytes> entry : items.entrySet()) {
      ItemKey key = entry.getKey().key();
      boolean inRange = entry.getKey().area().equals(area)
          && key.effectivePartitionKey().compareTo(range.minInclusive()) >= 0
          && key.effectivePartitionKey().compareTo(range.maxExclusive()) < 0
          && (range.partitionKey() == null || key.partitionKey().equals(range.partitionKey()))
          && (range.after() == null
              || ORDER.compare(entry.getKey(), new Key(area, range.after())) > 0);
      if (inRange) {
        if (found.size() >= itemsMax
            || (!found.isEmpty() && bytes + entry.getValue().length() > bytesMax)) {
          return new Scan(found, true);
        }
        found.add(new Scan.Found(key, entry.getValue()));
        bytes += entry.getValue().length();
      }
    }
    return new Scan(found, false);
  }

  @Override
  public CompletionStage<Void> flush() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long unflushedBytes() {
    return 1; // so that a host flushes whenever its interval is over
  }

  @Override
  public Batch batch() {
    return new Batch() {
      private final List<Runnable> changes = new ArrayList<>();

      @Override
      public void putItem(Area area, ItemKey key, byte[] value) {
        changes.add(() -> items.put(new Key(area, key), Bytes.wrap(value)));
      }

      @Override
      public void deleteItem(Area area, ItemKey key) {
        changes.add(() -> items.remove(new Key(area, key)));
      }

      @Override
      public void putLogicalSize(Area area, Bytes epk, Bytes partitionKey, byte[] value) {
        Key key = new Key(area, new ItemKey(epk, partitionKey, Bytes.EMPTY));
        changes.add(() -> sizes.put(key, Bytes.wrap(value)));
      }

      @Override
      public void deleteLogicalSize(Area area, Bytes epk, Bytes partitionKey) {
        Key key = new Key(area, new ItemKey(epk, partitionKey, Bytes.EMPTY));
        changes.add(() -> sizes.remove(key));
      }

      @Override
      public void putReplica(ReplicaId id, byte[] record) {
        changes.add(() -> replicas.put(id, Bytes.wrap(record)));
      }

      @Override
      public void deleteReplica(ReplicaId id) {
        changes.add(() -> replicas.remove(id));
      }

      @Override
      public void deleteAreas(long lineage, long slotFrom, long slotToExclusive) {
        Predicate<Key> dead = key -> key.area().lineage() == lineage
            && key.area().slot() >= slotFrom
            && key.area().slot() < slotToExclusive;
        changes.add(() -> {
          items.keySet().removeIf(dead);
          sizes.keySet().removeIf(dead);
        });
      }

      @Override
      public void write() {
        if (full) {
          throw new StoreException("the disk is full", new IllegalStateException());
        }
        synchronized (InMemoryReplicaStore.this) {
          changes.forEach(Runnable::run);
        }
      }
    };
  }
}
