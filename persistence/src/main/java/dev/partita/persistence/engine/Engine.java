package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB and all native objects it needs, freed in reverse order of their making. Knows how RocksDB
 * is set up, and nothing of who uses it when.
 */
final class Engine implements AutoCloseable {
  private static final List<String> FAMILIES = List.of("items", "logical", "replicas");

  private final List<AbstractNativeReference> owned = new ArrayList<>();
  private static final byte[] FLUSH_COUNT = "flushes".getBytes(StandardCharsets.UTF_8);

  private final DurableMark mark;
  private final FlushOptions flushOptions;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();
  final RocksDB db;
  final ColumnFamilyHandle items;
  final ColumnFamilyHandle logicals;
  final ColumnFamilyHandle replicas;
  final WriteOptions writes;
  final LRUCache cache;

  private long flushCount;
  private long flushedThrough; // sequence number

  /** Opens what is in the folder, or creates it. */
  Engine(Path directory, ItemStoreSettings settings) throws RocksDBException {
    mark = new DurableMark(directory);
    try {
      cache = own(new LRUCache(settings.blockCacheBytes()));
      writes = own(new WriteOptions().setDisableWAL(true));
      flushOptions = own(new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true));
      ColumnFamilyOptions familyOptions = own(familyOptions(settings, cache));
      var descriptors = new ArrayList<ColumnFamilyDescriptor>();
      descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions));
      for (String family : FAMILIES) {
        byte[] name = family.getBytes(StandardCharsets.UTF_8);
        descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
      }
      db = own(RocksDB.open(own(dbOptions(settings)), directory.toString(), descriptors, handles));
      items = handles.get(1);
      logicals = handles.get(2);
      replicas = handles.get(3);
      flushCount = number(db.get(FLUSH_COUNT));
      flushedThrough = db.getLatestSequenceNumber();
    } catch (RocksDBException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  Families families() {
    return new Families(items.getID(), logicals.getID(), replicas.getID());
  }

  /**
   * How many flushes the store in the folder remembers, without changing anything there. To be asked before it is
   * opened: opening deletes what its manifest does not name.
   */
  static long flushCount(Path directory) throws RocksDBException {
    try (var options = new Options().setInfoLogLevel(InfoLogLevel.WARN_LEVEL);
        RocksDB db = RocksDB.openReadOnly(options, directory.toString())) {
      return number(db.get(FLUSH_COUNT));
    }
  }

  /** The first table in the folder that cannot be opened for itself; the names of missing ones are not known. */
  static Optional<Path> damagedTable(Path directory) {
    try (DirectoryStream<Path> tables = Files.newDirectoryStream(directory, "*.sst");
        var options = new Options()) {
      for (Path table : tables) {
        try (var reader = new SstFileReader(options)) {
          reader.open(table.toString());
        } catch (RocksDBException e) {
          return Optional.of(table);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // this looks for a better message only
    }
  }

  /** Makes everything written so far durable, over all families at once. */
  synchronized void flush() throws RocksDBException, IOException {
    long through = db.getLatestSequenceNumber();
    if (through == flushedThrough) {
      db.flush(flushOptions, handles); // RocksDB may be flushing these by itself
      return;
    }
    db.put(
        writes,
        FLUSH_COUNT,
        ByteBuffer.allocate(Long.BYTES).putLong(flushCount + 1).array());
    db.flush(flushOptions, handles);
    flushCount++;
    mark.write(flushCount);
    flushedThrough = through + 1;
  }

  /** Frees everything. What was not flushed is gone. */
  @Override
  public void close() {
    handles.forEach(AbstractNativeReference::close);
    for (int i = owned.size() - 1; i >= 0; i--) {
      owned.get(i).close();
    }
  }

  private static long number(byte @Nullable [] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  private <T extends AbstractNativeReference> T own(T object) {
    owned.add(object);
    return object;
  }

  private DBOptions dbOptions(ItemStoreSettings settings) {
    // One manager for all families, charged to the block cache: the two together stay within the
    // cache's size.
    // It never stalls writes: a stall would also hold up the thread that has to notice a full disk.
    WriteBufferManager buffers =
        own(new WriteBufferManager(settings.writeBufferTotalBytes(), cache, false));
    // With the write-ahead log off, atomic flush is what makes a crash leave a prefix over all
    // families. And the
    // store flushes before it closes, where a failure can be seen; RocksDB need not do it again.
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setAtomicFlush(true)
        .setParanoidChecks(true)
        .setWriteBufferManager(buffers)
        .setMaxBackgroundJobs(settings.backgroundJobsMax())
        .setMaxOpenFiles(settings.openFilesMax())
        .setBytesPerSync(1 << 20)
        .setAvoidUnnecessaryBlockingIO(true)
        .setAvoidFlushDuringShutdown(true)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(4)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  private ColumnFamilyOptions familyOptions(ItemStoreSettings settings, LRUCache blockCache) {
    return new ColumnFamilyOptions()
        .setWriteBufferSize(settings.writeBufferBytes())
        .setMaxWriteBufferNumber(settings.writeBufferCountMax())
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setLevelCompactionDynamicLevelBytes(true)
        .setTableFormatConfig(new BlockBasedTableConfig()
            .setBlockCache(blockCache)
            .setBlockSize(16 << 10)
            .setFilterPolicy(own(new BloomFilter(10)))
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true));
  }
}
