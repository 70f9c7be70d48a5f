package dev.partita.persistence.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ItemStoreTest {
  private static final byte[] LOWEST = {};
  private static final byte[] HIGHEST = {(byte) 0xFF};

  @TempDir
  Path directory;

  private ItemStore store;

  @BeforeEach
  void open() {
    store = ItemStore.open(directory, ItemStoreSettings.SMALL_NODE);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aBatchIsVisibleInAllFamiliesOnceWritten() {
    ItemBatch batch = store
        .newBatch()
        .putItem(bytes("a"), bytes("1"))
        .putLogical(bytes("a"), bytes("2"))
        .putReplica(bytes("a"), bytes("3"));
    assertThat(store.item(bytes("a"))).isNull();
    store.write(batch);
    assertThat(store.item(bytes("a"))).isEqualTo(bytes("1"));
    assertThat(store.logical(bytes("a"))).isEqualTo(bytes("2"));
    assertThat(store.replica(bytes("a"))).isEqualTo(bytes("3"));

    store.write(batch.clear().deleteItem(bytes("a")).deleteLogical(bytes("a")));
    assertThat(store.item(bytes("a"))).isNull();
    assertThat(store.logical(bytes("a"))).isNull();
    assertThat(store.replica(bytes("a"))).isEqualTo(bytes("3"));
    store.write(batch.clear().deleteReplica(bytes("a")));
    assertThat(store.replica(bytes("a"))).isNull();
  }

  @Test
  void aBatchIsAppliedInItsOrderAndCanBeWrittenTwice() {
    ItemBatch batch = store
        .newBatch()
        .putItem(bytes("a"), bytes("1"))
        .deleteItem(bytes("a"))
        .putItem(bytes("a"), bytes("2"))
        .putItem(bytes("b"), bytes("3"))
        .deleteRange(bytes("b"), bytes("c"));
    assertThat(batch.count()).isEqualTo(6);
    store.write(batch);
    store.write(batch);
    assertThat(store.item(bytes("a"))).isEqualTo(bytes("2"));
    assertThat(store.item(bytes("b"))).isNull();
  }

  @Test
  void anEmptyValueIsAValueAndLargeOnesGrowTheBatch() {
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    ItemBatch batch = store.newBatch().putItem(bytes("e"), LOWEST).putItem(bytes("l"), large);
    assertThat(batch.sizeBytes()).isBetween(large.length, large.length + 100);
    store.write(batch);
    assertThat(store.item(bytes("e"))).isEmpty();
    assertThat(store.item(bytes("l"))).isEqualTo(large);
    assertThat(batch.clear().isEmpty()).isTrue();
    assertThat(batch.sizeBytes()).isEqualTo(12);
  }

  @Test
  void randomBatchesLeaveWhatATreeMapHolds() {
    var random = new Random(7);
    var items = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
    var logicals = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
    for (int round = 0; round < 300; round++) {
      ItemBatch batch = store.newBatch();
      for (int i = 0; i < 20; i++) {
        byte[] key = key(random);
        byte[] value = new byte[random.nextInt(300)];
        random.nextBytes(value);
        switch (random.nextInt(8)) {
          case 0 -> {
            batch.deleteItem(key);
            items.remove(key);
          }
          case 1 -> {
            batch.deleteLogical(key);
            logicals.remove(key);
          }
          case 2 -> {
            batch.putLogical(key, value);
            logicals.put(key, value);
          }
          case 3 -> {
            byte[] to = Arrays.copyOf(key, key.length + 1);
            batch.deleteRange(key, to);
            items.subMap(key, to).clear();
            logicals.subMap(key, to).clear();
          }
          default -> {
            batch.putItem(key, value);
            items.put(key, value);
          }
        }
      }
      store.write(batch);
      if (round % 50 == 49) {
        store.flush();
      }
    }
    assertThat(items).isNotEmpty();
    assertThat(scanned(store, LOWEST, HIGHEST)).isEqualTo(listed(items));
    byte[] from = key(random);
    byte[] to = Arrays.copyOf(from, 1);
    to[0] = (byte) 0x90;
    assertThat(scanned(store, from, to)).isEqualTo(listed(items.subMap(from, to)));
    var found = new ArrayList<String>();
    store.scanLogicals(LOWEST, HIGHEST, ScanKind.PAGE, (k, v) -> found.add(text(k, v)));
    assertThat(found).isEqualTo(listed(logicals));
  }

  @Test
  void aScanStopsWhenItsVisitorSaysSo() {
    store.write(store
        .newBatch()
        .putItem(bytes("a"), LOWEST)
        .putItem(bytes("b"), LOWEST)
        .putItem(bytes("c"), LOWEST));
    var seen = new ArrayList<String>();
    store.scanItems(LOWEST, HIGHEST, ScanKind.PAGE, (key, value) -> {
      seen.add(new String(key, UTF_8));
      return seen.size() < 2;
    });
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void anEmptyOrInvertedRangeHoldsNothing() {
    store.write(store.newBatch().putItem(bytes("b"), LOWEST));
    assertThat(scanned(store, bytes("b"), bytes("b"))).isEmpty();
    assertThat(scanned(store, bytes("c"), bytes("a"))).isEmpty();
    assertThat(store.newBatch().deleteRange(bytes("b"), bytes("b")).isEmpty()).isTrue();
    assertThatThrownBy(() -> store.newBatch().deleteRange(bytes("c"), bytes("a")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void replicasAreListedByPrefix() {
    store.write(store
        .newBatch()
        .putReplica(bytes("p1/a"), bytes("1"))
        .putReplica(bytes("p1/b"), bytes("2"))
        .putReplica(bytes("p2/a"), bytes("3")));
    var all = new ArrayList<String>();
    store.scanReplicas(LOWEST, (key, value) -> all.add(new String(key, UTF_8)));
    assertThat(all).containsExactly("p1/a", "p1/b", "p2/a");
    var some = new ArrayList<String>();
    store.scanReplicas(bytes("p1/"), (key, value) -> some.add(new String(key, UTF_8)));
    assertThat(some).containsExactly("p1/a", "p1/b");
  }

  @Test
  void aSnapshotDoesNotSeeLaterBatches() {
    store.write(
        store.newBatch().putItem(bytes("a"), bytes("1")).putReplica(bytes("r"), bytes("1")));
    try (ItemSnapshot snapshot = store.snapshot()) {
      store.write(store
          .newBatch()
          .putItem(bytes("a"), bytes("2"))
          .putItem(bytes("b"), bytes("2"))
          .putReplica(bytes("r"), bytes("2")));
      store.flush();
      assertThat(snapshot.item(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(snapshot.item(bytes("b"))).isNull();
      assertThat(snapshot.replica(bytes("r"))).isEqualTo(bytes("1"));
      assertThat(scanned(snapshot, LOWEST, HIGHEST)).containsExactly(text(bytes("a"), bytes("1")));
      assertThat(scanned(store, LOWEST, HIGHEST)).hasSize(2);
    }
  }

  @Test
  void whatIsWrittenIsThereAfterClosingAndOpening() {
    store.write(store.newBatch().putItem(bytes("a"), bytes("1")));
    store.close();
    open();
    assertThat(store.item(bytes("a"))).isEqualTo(bytes("1"));
  }

  @Test
  void closingTwiceIsOneClosing() {
    ItemSnapshot snapshot = store.snapshot();
    store.close();
    store.close();
    snapshot.close();
    snapshot.close();
  }

  @Test
  void nothingCanBeDoneAfterClosing() {
    ItemBatch batch = store.newBatch().putItem(bytes("a"), bytes("1"));
    ItemSnapshot snapshot = store.snapshot();
    store.close();
    assertClosed(() -> store.item(bytes("a")));
    assertClosed(() -> store.write(batch));
    assertClosed(() -> store.scanItems(LOWEST, HIGHEST, ScanKind.PAGE, (k, v) -> true));
    assertClosed(store::snapshot);
    assertClosed(store::flush);
    assertClosed(store::metrics);
    assertClosed(() -> store.approximateItemBytes(LOWEST, HIGHEST));
    assertClosed(() -> snapshot.item(bytes("a")));
    assertThatThrownBy(() -> store.flushAsync().toCompletableFuture().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreClosedException.class);
  }

  @Test
  void aClosedSnapshotIsNotRead() {
    ItemSnapshot snapshot = store.snapshot();
    snapshot.close();
    assertClosed(() -> snapshot.item(bytes("a")));
    assertThat(store.item(bytes("a"))).isNull();
  }

  @Test
  void closingWaitsForReadersAndStopsThem() throws Exception {
    ItemBatch batch = store.newBatch();
    for (int i = 0; i < 2_000; i++) {
      batch.putItem(bytes("key" + i), new byte[100]);
    }
    store.write(batch);
    store.flush();
    var reading = new CountDownLatch(4);
    var pool = Executors.newFixedThreadPool(4);
    try {
      var readers = new ArrayList<Future<?>>();
      for (int r = 0; r < 4; r++) {
        readers.add(pool.submit(() -> readUntilClosed(reading)));
      }
      reading.await();
      store.close();
      for (Future<?> reader : readers) {
        reader.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void flushesAskedForWhileOneRunsAreShared() throws Exception {
    store.write(store.newBatch().putItem(bytes("a"), bytes("1")));
    var flushes = new ArrayList<Future<?>>();
    for (int i = 0; i < 50; i++) {
      flushes.add(store.flushAsync().toCompletableFuture());
    }
    for (Future<?> flush : flushes) {
      flush.get(30, TimeUnit.SECONDS);
    }
    assertThat(store.metrics().liveFileBytes()).isPositive();
  }

  @Test
  void metricsTellWhatIsUsed() {
    ItemBatch batch = store.newBatch();
    var random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      byte[] value = new byte[1_000];
      random.nextBytes(value);
      batch.putItem(bytes("key%04d".formatted(i)), value);
    }
    store.write(batch);
    assertThat(store.metrics().memtableBytes()).isGreaterThan(1_000_000);
    store.flush();
    ItemStoreMetrics flushed = store.metrics();
    assertThat(flushed.liveFileBytes()).isGreaterThan(1_000_000);
    assertThat(flushed.backgroundErrors()).isZero();
    assertThat(flushed.blockCacheBytes()).isPositive();
    assertThat(store.approximateItemBytes(bytes("key0000"), bytes("key0500")))
        .isBetween(400_000L, 600_000L);
  }

  private void readUntilClosed(CountDownLatch reading) {
    var random = new Random();
    for (int n = 0; ; n++) {
      try (ItemSnapshot snapshot = store.snapshot()) {
        assertThat(store.item(bytes("key" + random.nextInt(2_000)))).hasSize(100);
        assertThat(snapshot.item(bytes("key" + random.nextInt(2_000)))).hasSize(100);
        var seen = new int[1];
        snapshot.scanItems(LOWEST, HIGHEST, ScanKind.SWEEP, (k, v) -> ++seen[0] < 200);
        assertThat(seen[0]).isEqualTo(200);
      } catch (StoreClosedException e) {
        return;
      }
      if (n == 3) {
        reading.countDown();
      }
    }
  }

  private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreClosedException.class)
        .hasMessageContaining("closed");
  }

  private static List<String> scanned(ItemReader reader, byte[] from, byte[] to) {
    var found = new ArrayList<String>();
    reader.scanItems(from, to, ScanKind.SWEEP, (key, value) -> found.add(text(key, value)));
    return found;
  }

  private static List<String> listed(java.util.Map<byte[], byte[]> entries) {
    var listed = new ArrayList<String>();
    entries.forEach((key, value) -> listed.add(text(key, value)));
    return listed;
  }

  private static String text(byte[] key, byte[] value) {
    return Arrays.toString(key) + "=" + Arrays.toString(value);
  }

  private static byte[] key(Random random) {
    byte[] key = new byte[1 + random.nextInt(2)];
    random.nextBytes(key);
    key[0] &= 0x7F;
    return key;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
