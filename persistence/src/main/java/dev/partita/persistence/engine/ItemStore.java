package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Range;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The items of all replicas of a node, the records of their logical partitions, and the records of the
 * replicas themselves, in one RocksDB.
 *
 * <p>There is no write-ahead log: a written batch is visible at once and durable after the next
 * {@link #flush}, or earlier. After a crash the store holds a prefix of the batches in the order in which they
 * were written, over all three kinds of record; the batches past it come again from the log of the replicas.
 *
 * <p>Safe for use by many threads. A call waits for the disk on the thread that makes it. A full disk makes
 * writes fail with {@link StoreUnavailableException} until there is space again; reads go on.
 */
public final class ItemStore implements ItemReader, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ItemStore.class);

  private final Path directory;
  private final StoreFailures failures;
  private final Engine engine;
  private final Families families;
  private final Lifetime lifetime = new Lifetime("the item store", null);
  private final Set<ItemSnapshot> snapshots = ConcurrentHashMap.newKeySet();
  private final Reads reads;
  private final Flusher flusher;

  private ItemStore(Path directory, StoreFailures failures, Engine engine) {
    this.directory = directory;
    this.failures = failures;
    this.engine = engine;
    this.families = engine.families();
    this.reads = new Reads(engine, lifetime, failures, null);
    this.flusher = new Flusher(this::flush);
  }

  /**
   * Opens the store in a folder of its own, or creates it there.
   *
   * @throws StoreAccessException if the folder may not be used, or is open elsewhere
   * @throws StoreDamagedException if a file is missing or damaged
   * @throws StoreUnavailableException if there is no space to open it
   */
  public static ItemStore open(Path directory, ItemStoreSettings settings) {
    var failures = new StoreFailures(directory);
    try {
      Files.createDirectories(directory);
      NativeCode.load(directory);
      requireWhatWasDurable(directory, failures);
      return new ItemStore(directory, failures, new Engine(directory, settings));
    } catch (IOException e) {
      throw failures.opening(e);
    } catch (RocksDBException e) {
      throw failures.opening(e);
    }
  }

  /**
   * RocksDB itself would take a folder without CURRENT for a new store, and go back behind a damaged end of its
   * manifest; in both cases it deletes the files it then does not know.
   */
  private static void requireWhatWasDurable(Path directory, StoreFailures failures)
      throws IOException, RocksDBException {
    var mark = new DurableMark(directory);
    if (!mark.exists()) {
      return; // nobody was told yet that anything is durable
    }
    if (!Files.exists(directory.resolve("CURRENT"))) {
      throw failures.damaged("the file is missing", "CURRENT");
    }
    long promised =
        mark.read().orElseThrow(() -> failures.damaged("wrong checksum", DurableMark.FILE));
    long held = Engine.flushCount(directory);
    if (held < promised) {
      throw failures.damaged(
          "it ends at flush " + held + ", and flush " + promised + " was durable",
          Files.readString(directory.resolve("CURRENT"), StandardCharsets.ISO_8859_1)
              .strip());
    }
  }

  /** An empty batch for {@link #write}. */
  public ItemBatch newBatch() {
    return new ItemBatch(families);
  }

  /**
   * Applies a batch, all or nothing. It is visible when this returns; the batch is unchanged and may be cleared
   * and filled again. Batches written by one thread are applied in that order.
   *
   * @throws StoreUnavailableException if the disk is full or fails; the batch then has no effect
   */
  public void write(ItemBatch batch) {
    byte[] encoded = batch.encoded();
    lifetime.enter();
    try (var natively = new WriteBatch(encoded)) {
      engine.db.write(engine.writes, natively);
    } catch (RocksDBException e) {
      throw failures.writing(e);
    } finally {
      lifetime.leave();
    }
  }

  /**
   * Fails exactly as a {@link #write} would fail now, and changes nothing.
   *
   * @throws StoreUnavailableException if the disk is full or fails
   */
  public void requireWritable() {
    write(newBatch());
  }

  /**
   * Returns when everything written before the call is durable: in files that are synced, over all families at
   * once.
   *
   * @throws StoreUnavailableException if the disk is full or fails; what was durable before still is
   */
  public void flush() {
    lifetime.enter();
    try {
      engine.flush();
    } catch (RocksDBException e) {
      throw failures.writing(e);
    } catch (IOException e) {
      throw failures.writing(e);
    } finally {
      lifetime.leave();
    }
  }

  /**
   * As {@link #flush}, on a thread of its own. Calls made while a flush runs share the next one.
   *
   * @return completes on that thread; fails with the {@link StoreException} that {@link #flush} would throw
   */
  public CompletionStage<Void> flushAsync() {
    return flusher.request();
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

  /** The store as it is now, for reads that must agree with each other. To be closed soon: it keeps old data. */
  public ItemSnapshot snapshot() {
    lifetime.enter();
    try {
      var snapshot = new ItemSnapshot(this, engine, lifetime, failures);
      snapshots.add(snapshot);
      return snapshot;
    } finally {
      lifetime.leave();
    }
  }

  /** What the store uses. */
  public ItemStoreMetrics metrics() {
    lifetime.enter();
    try {
      return new ItemStoreMetrics(
          engine.db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
          engine.db.getAggregatedLongProperty("rocksdb.live-sst-files-size"),
          engine.cache.getUsage(),
          engine.db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"),
          engine.db.getLongProperty("rocksdb.background-errors"));
    } catch (RocksDBException e) {
      throw failures.reading(e);
    } finally {
      lifetime.leave();
    }
  }

  /** Roughly how many bytes of memory and disk the items in {@code [from, toExclusive)} take, compressed. */
  public long approximateItemBytes(byte[] from, byte[] toExclusive) {
    lifetime.enter();
    try (var start = new Slice(from);
        var end = new Slice(toExclusive)) {
      return engine
          .db
          .getApproximateSizes(
              engine.items,
              List.of(new Range(start, end)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
    } finally {
      lifetime.leave();
    }
  }

  /**
   * Waits for the calls in progress, makes what is written durable, and frees the store. Later calls fail with
   * {@link StoreClosedException}; closing again does nothing. Not to be called from a {@link ScanVisitor}.
   */
  @Override
  public synchronized void close() {
    if (lifetime.hasEnded()) {
      return;
    }
    flusher.close();
    lifetime.end();
    snapshots.forEach(ItemSnapshot::free);
    snapshots.clear();
    reads.free();
    try {
      engine.flush();
    } catch (RocksDBException | IOException e) {
      // Nothing is lost: what was not flushed comes again from the log.
      log.warn("{} was closed unflushed: {}", directory, e.getMessage());
    }
    engine.close();
  }

  /** Frees a snapshot unless the closing of the store has done it already. */
  void release(ItemSnapshot snapshot) {
    if (lifetime.tryEnter()) {
      try {
        if (snapshots.remove(snapshot)) {
          snapshot.free();
        }
      } finally {
        lifetime.leave();
      }
    }
  }
}
