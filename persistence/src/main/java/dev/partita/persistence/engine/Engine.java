package dev.partita.persistence.engine;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * One open RocksDB and all native objects it needs, freed in reverse order of their making. Knows how RocksDB
 * is set up, and nothing of who uses it when.
 */
final class Engine implements AutoCloseable {
  private static final List<String> FAMILIES = List.of("items", "logical", "replicas");

  private final List<AbstractNativeReference> owned = new ArrayList<>();
  private final FlushOptions flushOptions;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();
  final RocksDB db;
  final ColumnFamilyHandle items;
  final ColumnFamilyHandle logicals;
  final ColumnFamilyHandle replicas;
  final WriteOptions writes;
  final LRUCache cache;

  /** Opens what is in the folder, or creates it. */
  Engine(Path directory, ItemStoreSettings settings) throws RocksDBException {
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
    } catch (RocksDBException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  Families families() {
    return new Families(items.getID(), logicals.getID(), replicas.getID());
  }

  /** Makes everything written so far durable, over all families at once. */
  void flush() throws RocksDBException {
    db.flush(flushOptions, handles);
  }

  /** Frees everything. What was not flushed is gone. */
  @Override
  public void close() {
    handles.forEach(AbstractNativeReference::close);
    for (int i = owned.size() - 1; i >= 0; i--) {
      owned.get(i).close();
    }
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
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setAtomicFlush(
            true) // with the write-ahead log off, what makes a crash leave a prefix over all
        // families
        .setParanoidChecks(true)
        .setWriteBufferManager(buffers)
        .setMaxBackgroundJobs(settings.backgroundJobsMax())
        .setMaxOpenFiles(settings.openFilesMax())
        .setBytesPerSync(1 << 20)
        .setAvoidUnnecessaryBlockingIO(true)
        .setAvoidFlushDuringShutdown(
            true) // the store flushes before it closes, where a failure can be seen
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
