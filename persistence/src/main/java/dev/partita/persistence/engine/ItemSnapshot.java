package dev.partita.persistence.engine;

import org.jspecify.annotations.Nullable;
import org.rocksdb.Snapshot;

/**
 * The store as it was at one moment between two batches. Reads after it or the store was closed fail with
 * {@link StoreClosedException}.
 */
public final class ItemSnapshot implements ItemReader, AutoCloseable {
  private final ItemStore store;
  private final Engine engine;
  private final Lifetime lifetime;
  private final Snapshot snapshot;
  private final Reads reads;

  ItemSnapshot(ItemStore store, Engine engine, Lifetime storeLifetime, StoreFailures failures) {
    this.store = store;
    this.engine = engine;
    this.lifetime = new Lifetime("the snapshot of the item store", storeLifetime);
    this.snapshot = engine.db.getSnapshot();
    this.reads = new Reads(engine, lifetime, failures, snapshot);
  }

  @Override
  public byte @Nullable [] item(byte[] key) {
    return reads.item(key);
  }

  @Override
  public byte @Nullable [] logical(byte[] key) {
    return reads.logical(key);
  }

  @Override
  public byte @Nullable [] replica(byte[] key) {
    return reads.replica(key);
  }

  @Override
  public void scanItems(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor) {
    reads.scanItems(from, toExclusive, kind, visitor);
  }

  @Override
  public void scanLogicals(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor) {
    reads.scanLogicals(from, toExclusive, kind, visitor);
  }

  @Override
  public void scanReplicas(byte[] prefix, ScanVisitor visitor) {
    reads.scanReplicas(prefix, visitor);
  }

  /**
   * Waits for the reads in progress and lets go of the old data; closing again does nothing. Not to be called
   * from a {@link ScanVisitor}.
   */
  @Override
  public synchronized void close() {
    if (!lifetime.hasEnded()) {
      lifetime.end();
      store.release(this);
    }
  }

  /** Frees the native snapshot; called once, by the store. */
  void free() {
    reads.free();
    engine.db.releaseSnapshot(snapshot);
    snapshot.close();
  }
}
