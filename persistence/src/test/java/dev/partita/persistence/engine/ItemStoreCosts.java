package dev.partita.persistence.engine;

import dev.partita.persistence.keyspace.StoreKeys;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Prints what writes, point reads and scans of the store cost in CPU time of the process, flushes and compactions
 * included. {@code ItemStoreCosts [value bytes] [items]}
 */
public final class ItemStoreCosts {
  private static final int REPLICAS = 4;
  private static final int BATCH = 64;
  private static final com.sun.management.OperatingSystemMXBean OS =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final ItemStore store;
  private final int valueBytes;
  private final int items;
  private final Random random = new Random(1);

  private ItemStoreCosts(ItemStore store, int valueBytes, int items) {
    this.store = store;
    this.valueBytes = valueBytes;
    this.items = items;
  }

  public static void main(String[] args) throws Exception {
    int valueBytes = args.length > 0 ? Integer.parseInt(args[0]) : 1024;
    int items = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    Path directory = Files.createTempDirectory("costs");
    try (ItemStore store = ItemStore.open(directory, ItemStoreSettings.SMALL_NODE)) {
      var costs = new ItemStoreCosts(store, valueBytes, items);
      for (int round = 0; round < 3; round++) {
        costs.writes();
      }
      store.flush();
      for (int round = 0; round < 3; round++) {
        costs.reads("point get, hit", 0);
      }
      costs.reads("point get, miss", items);
      costs.scan();
      System.out.println(store.metrics());
    } finally {
      try (var files = Files.walk(directory)) {
        files
            .sorted(java.util.Comparator.reverseOrder())
            .forEach(file -> file.toFile().delete());
      }
    }
  }

  /** Batches of 64 x (item, logical partition) and one replica, for each of the four replicas. */
  private void writes() {
    ItemBatch batch = store.newBatch();
    measure("write to " + REPLICAS + " replicas", items, () -> {
      for (int first = 0; first < items; first += BATCH) {
        for (int slot = 1; slot <= REPLICAS; slot++) {
          batch.clear();
          for (int n = first; n < Math.min(items, first + BATCH); n++) {
            batch.putItem(key(slot, n), value());
            batch.putLogical(StoreKeys.logical(1, slot, epk(n), partitionKey(n)), new byte[16]);
          }
          store.write(batch.putReplica(new byte[] {(byte) slot}, new byte[64]));
        }
      }
    });
  }

  private void reads(String name, int offset) {
    measure(name, items, () -> {
      for (int i = 0; i < items; i++) {
        int n = random.nextInt(items);
        if ((store.item(key(1 + (n & 3), n + offset)) == null) != (offset > 0)) {
          throw new IllegalStateException("item " + n);
        }
      }
    });
  }

  private void scan() {
    var range = StoreKeys.slot(1, 1);
    measure(
        "scan, per item",
        items,
        () -> store.scanItems(
            range.from(), range.toExclusive(), ScanKind.SWEEP, (key, value) -> true));
  }

  private static void measure(String name, int count, Runnable work) {
    long background = backgroundTicks();
    long cpu = OS.getProcessCpuTime();
    long wall = System.nanoTime();
    work.run();
    double cpuMicros = (OS.getProcessCpuTime() - cpu) / 1e3 / count;
    double wallMicros = (System.nanoTime() - wall) / 1e3 / count;
    double backgroundMicros = (backgroundTicks() - background) * 1e4 / count;
    System.out.printf(
        "%-22s %7.2f us CPU, of it %7.2f in flushes and compactions %7.2f us wall%n",
        name, cpuMicros, backgroundMicros, wallMicros);
  }

  /** CPU time of RocksDB's own threads so far, in ticks of 10 ms; 0 where the system does not tell. */
  private static long backgroundTicks() {
    try (var threads = Files.list(Path.of("/proc/self/task"))) {
      long ticks = 0;
      for (Path thread : threads.toList()) {
        if (Files.readString(thread.resolve("comm")).startsWith("rocksdb:")) {
          String stat = Files.readString(thread.resolve("stat"));
          String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
          ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
      }
      return ticks;
    } catch (IOException e) {
      return 0;
    }
  }

  private static byte[] key(long slot, int n) {
    byte[] id = Integer.toString(n).getBytes(StandardCharsets.UTF_8);
    return StoreKeys.item(1, slot, epk(n), partitionKey(n), id);
  }

  /** Spread like a hash. */
  private static byte[] epk(int n) {
    long spread = n * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(spread >>> 2).putLong(~spread).array();
  }

  private static byte[] partitionKey(int n) {
    return ("pk" + n).getBytes(StandardCharsets.UTF_8);
  }

  private byte[] value() {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    return value;
  }
}
