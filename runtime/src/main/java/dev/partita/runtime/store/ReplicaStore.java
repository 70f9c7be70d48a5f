package dev.partita.runtime.store;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ReplicaId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The applied state of a node's replicas: items, sizes of logical partitions and one record per replica.
 * After a crash it holds a prefix of what was written, in the order of writing (replication.md J6). Thread
 * safe. Reads and writes may wait for a disk: they belong on the storage dispatcher.
 */
public interface ReplicaStore {
  /** The value of an item, or null. */
  @Nullable
  Bytes item(Area area, ItemKey key);

  /** The size record of a logical partition, or null. */
  @Nullable
  Bytes logicalSize(Area area, Bytes effectivePartitionKey, Bytes partitionKey);

  /** The record of a replica, or null. */
  @Nullable
  Bytes replica(ReplicaId id);

  /** A batch to fill; one thread, one use. */
  Batch batch();

  /**
   * The store as it is now, however it changes; holds resources until it is closed.
   *
   * @throws StoreException when the store cannot be read
   */
  Snapshot snapshot();

  /** Completes when everything written before the call is durable. */
  CompletionStage<Void> flush();

  /** Bytes written that no flush has made durable yet, roughly. */
  long unflushedBytes();

  /** Changes that happen together or not at all. */
  interface Batch {
    void putItem(Area area, ItemKey key, byte[] value);

    void deleteItem(Area area, ItemKey key);

    void putLogicalSize(Area area, Bytes effectivePartitionKey, Bytes partitionKey, byte[] value);

    void deleteLogicalSize(Area area, Bytes effectivePartitionKey, Bytes partitionKey);

    void putReplica(ReplicaId id, byte[] record);

    void deleteReplica(ReplicaId id);

    /** Deletes every item and size record of the areas of one lineage from slot to slot. */
    void deleteAreas(long lineage, long slotFrom, long slotToExclusive);

    /**
     * Writes the batch.
     *
     * @throws StoreException when the store refuses it; then nothing of it is written
     */
    void write();
  }

  /** The store at one moment. */
  interface Snapshot extends AutoCloseable {
    /** The record of a replica, or null. */
    @Nullable
    Bytes replica(ReplicaId id);

    /**
     * Items in keyspace order.
     *
     * @param bytesMax at least one item is given even if it is larger
     * @throws StoreException when the store cannot be read
     */
    Scan scan(Area area, ScanRange range, int itemsMax, long bytesMax);

    @Override
    void close();
  }

  /**
   * What to scan.
   *
   * @param minInclusive raw effective partition key, empty for the lowest
   * @param maxExclusive raw effective partition key, {@code FF} for the highest
   * @param partitionKey canonical bytes to keep to one logical partition (then {@code minInclusive} is its
   *     effective partition key), or null
   * @param after start after this item, or null
   */
  record ScanRange(
      Bytes minInclusive,
      Bytes maxExclusive,
      @Nullable Bytes partitionKey,
      @Nullable ItemKey after) {}

  /**
   * What a scan found.
   *
   * @param items in order
   * @param more whether items follow
   */
  record Scan(List<Found> items, boolean more) {
    /** One item. */
    public record Found(ItemKey key, Bytes value) {}
  }
}
