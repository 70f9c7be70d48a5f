package dev.partita.http.cli.bench;

import dev.partita.persistence.engine.ItemBatch;
import dev.partita.persistence.engine.ItemStore;
import dev.partita.persistence.engine.ItemStoreSettings;
import dev.partita.persistence.keyspace.StoreKeys;
import dev.partita.persistence.log.LogException;
import dev.partita.persistence.log.LogSettings;
import dev.partita.persistence.log.SegmentedLog;
import dev.partita.persistence.log.Write;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What log and item store can do when nobody is in the way: rounds of as many items as a batch of a primary has, appended
 * to the log of four replicas, synced, and then applied to the item store four times. No actors, no HTTP. Two rounds are
 * under way at once, so that one is applied while the other is synced.
 */
final class RawLimit implements AutoCloseable {
  private static final int REPLICAS = 4;
  private static final int LANES = 2;
  private static final int ROUNDS_PER_FLUSH = 512;
  private static final int KEY_BYTES = 16;
  private static final long LINEAGE = 1;

  private final SegmentedLog log;
  private final ItemStore store;
  private final int itemsPerRound;
  private final int itemBytes;

  RawLimit(Path directory, int itemsPerRound, int itemBytes) {
    this.log = SegmentedLog.open(LogSettings.in(directory.resolve("log")));
    this.store = ItemStore.open(directory.resolve("store"), ItemStoreSettings.SMALL_NODE);
    this.itemsPerRound = itemsPerRound;
    this.itemBytes = itemBytes;
  }

  /** Items written, durably and visibly, within the measured time, and how long it was. */
  record Measured(long items, Duration window, Duration cpu) {}

  Measured run(Duration warmUp, Duration measured) throws InterruptedException {
    long start = System.nanoTime();
    long opens = start + warmUp.toNanos();
    long closes = opens + measured.toNanos();
    ExecutorService lanes = Executors.newFixedThreadPool(LANES + 1);
    try {
      var cpu = lanes.submit(() -> cpuBetween(opens, closes));
      var counts = new ArrayList<Future<Long>>();
      for (int lane = 0; lane < LANES; lane++) {
        var work = new Lane(lane);
        counts.add(lanes.submit(() -> work.run(opens, closes)));
      }
      long rounds = 0;
      for (var count : counts) {
        rounds += count.get();
      }
      return new Measured(rounds * itemsPerRound, measured, cpu.get());
    } catch (ExecutionException e) {
      throw new IllegalStateException("the log or the store failed: " + e.getCause(), e);
    } finally {
      lanes.shutdownNow();
    }
  }

  private static Duration cpuBetween(long opens, long closes) throws InterruptedException {
    long self = ProcessHandle.current().pid();
    sleepUntil(opens);
    var atStart = Machine.cpu(self);
    sleepUntil(closes);
    return Machine.cpu(self).minus(atStart);
  }

  private static void sleepUntil(long nanoTime) throws InterruptedException {
    long left = nanoTime - System.nanoTime();
    if (left > 0) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  /** One sequence of rounds: a physical partition with its four replicas. */
  private final class Lane {
    private final int number;
    private final SplittableRandom random;
    private final List<ItemBatch> batches = new ArrayList<>();
    private long sequenceNr;

    Lane(int number) {
      this.number = number;
      this.random = new SplittableRandom(number);
      for (int replica = 0; replica < REPLICAS; replica++) {
        batches.add(store.newBatch());
      }
    }

    long run(long opens, long closes) throws InterruptedException {
      long rounds = 0;
      for (long now = System.nanoTime(); now < closes; now = System.nanoTime()) {
        round();
        if (now >= opens) {
          rounds++;
        }
      }
      return rounds;
    }

    private void round() throws InterruptedException {
      sequenceNr++;
      var items = new byte[itemsPerRound][itemBytes];
      for (var item : items) {
        random.nextBytes(item);
      }
      appendToAll(items);
      for (int replica = 0; replica < REPLICAS; replica++) {
        var batch = batches.get(replica);
        batch.clear();
        for (int i = 0; i < itemsPerRound; i++) {
          var id = Long.toString(sequenceNr * itemsPerRound + i).getBytes(StandardCharsets.UTF_8);
          var key = new byte[KEY_BYTES];
          random.nextBytes(key);
          batch.putItem(StoreKeys.item(LINEAGE + number, replica, key, key, id), items[i]);
        }
        store.write(batch);
      }
      if (sequenceNr % ROUNDS_PER_FLUSH == 0) {
        forget(sequenceNr);
      }
    }

    private void appendToAll(byte[][] items) throws InterruptedException {
      var durable = new CountDownLatch(REPLICAS);
      var failure = new AtomicReference<LogException>();
      for (int replica = 0; replica < REPLICAS; replica++) {
        log.append(new Write().event(id(replica), sequenceNr, items), failed -> {
          failure.compareAndSet(null, failed);
          durable.countDown();
        });
      }
      durable.await();
      if (failure.get() != null) {
        throw failure.get();
      }
    }

    /** As replicas do: what the store holds durably, the log need not keep. */
    private void forget(long through) {
      var unused = store.flushAsync().thenRun(() -> {
        for (int replica = 0; replica < REPLICAS; replica++) {
          log.append(new Write().deleteTo(id(replica), through), failed -> {});
        }
      });
    }

    private String id(int replica) {
      return "raw-" + number + "-" + replica;
    }
  }

  @Override
  public void close() {
    log.close();
    store.close();
  }
}
