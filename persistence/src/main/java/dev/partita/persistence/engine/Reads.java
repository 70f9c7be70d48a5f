package dev.partita.persistence.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** Reads of the engine, now or at a snapshot of it. */
final class Reads implements ItemReader {
  private static final int READ_AHEAD_BYTES = 2 << 20;

  private final Engine engine;
  private final Lifetime lifetime;
  private final StoreFailures failures;
  private final @Nullable Snapshot snapshot;
  private final ReadOptions pointReads;

  Reads(Engine engine, Lifetime lifetime, StoreFailures failures, @Nullable Snapshot snapshot) {
    this.engine = engine;
    this.lifetime = lifetime;
    this.failures = failures;
    this.snapshot = snapshot;
    this.pointReads = options();
  }

  @Override
  public byte @Nullable [] item(byte[] key) {
    return get(engine.items, key);
  }

  @Override
  public byte @Nullable [] logical(byte[] key) {
    return get(engine.logicals, key);
  }

  @Override
  public byte @Nullable [] replica(byte[] key) {
    return get(engine.replicas, key);
  }

  @Override
  public void scanItems(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor) {
    scan(engine.items, from, toExclusive, kind, visitor);
  }

  @Override
  public void scanLogicals(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor) {
    scan(engine.logicals, from, toExclusive, kind, visitor);
  }

  @Override
  public void scanReplicas(byte[] prefix, ScanVisitor visitor) {
    ScanVisitor whileMatching =
        (key, value) -> startsWith(key, prefix) && visitor.visit(key, value);
    scan(engine.replicas, prefix, null, ScanKind.PAGE, whileMatching);
  }

  /** Frees what this holds; only when nobody reads any more. */
  void free() {
    pointReads.close();
  }

  private byte @Nullable [] get(ColumnFamilyHandle family, byte[] key) {
    lifetime.enter();
    try {
      return engine.db.get(family, pointReads, key);
    } catch (RocksDBException e) {
      throw failures.reading(e);
    } finally {
      lifetime.leave();
    }
  }

  private void scan(
      ColumnFamilyHandle family,
      byte[] from,
      byte @Nullable [] toExclusive,
      ScanKind kind,
      ScanVisitor visitor) {
    if (toExclusive != null && Arrays.compareUnsigned(from, toExclusive) >= 0) {
      return; // RocksDB leaves open what a seek past the upper bound finds
    }
    lifetime.enter();
    try (ReadOptions options = options();
        @Nullable Slice upper = toExclusive == null ? null : new Slice(toExclusive)) {
      if (upper != null) {
        options.setIterateUpperBound(upper);
      }
      if (kind == ScanKind.SWEEP) {
        options.setReadaheadSize(READ_AHEAD_BYTES).setFillCache(false);
      }
      try (RocksIterator iterator = engine.db.newIterator(family, options)) {
        visit(iterator, from, visitor);
      }
    } finally {
      lifetime.leave();
    }
  }

  private void visit(RocksIterator iterator, byte[] from, ScanVisitor visitor) {
    try {
      for (iterator.seek(from); iterator.isValid(); iterator.next()) {
        if (!visitor.visit(iterator.key(), iterator.value())) {
          return;
        }
      }
      iterator.status(); // an iterator that met a damaged block looks as if it had come to the end
    } catch (RocksDBException e) {
      throw failures.reading(e);
    }
  }

  private ReadOptions options() {
    var options = new ReadOptions();
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
    return options;
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
