package dev.partita.persistence.engine;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that writes numbered batches over three families and flushes again and again, until it is killed. Says
 * what it did: {@code W n} after some batches, {@code F n} once batch n and all before it are durable.
 */
final class CrashingWriter {
  static final int LOGICALS = 37;
  static final int WINDOW = 100;
  /** Batches between two flushes: the items of so many fill their write buffer, which the others do not. */
  private static final int UNFLUSHED = 500;

  static final byte[] APPLIED = {'a'};

  /** Small, so that the store flushes and compacts by itself too. */
  static final ItemStoreSettings SETTINGS =
      new ItemStoreSettings(4 << 20, 1 << 20, 64 << 10, 4, 2, 128);

  private CrashingWriter() {}

  public static void main(String[] args) {
    ItemStore store = ItemStore.open(Path.of(args[0]), SETTINGS);
    byte[] applied = store.replica(APPLIED);
    long n = applied == null ? 0 : ByteBuffer.wrap(applied).getLong();
    var written = new AtomicLong(n);
    new Thread(() -> flushForEver(store, written)).start();
    ItemBatch batch = store.newBatch();
    while (true) {
      n++;
      fill(batch.clear(), n);
      store.write(batch);
      written.set(n);
      if (n % 50 == 0) {
        System.out.println("W " + n);
      }
    }
  }

  private static void flushForEver(ItemStore store, AtomicLong written) {
    long flushed = written.get();
    while (true) {
      long before = written.get();
      if (before >= flushed + UNFLUSHED) {
        store.flush();
        flushed = before;
        System.out.println("F " + before);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Batch n: an item, one of the logical partitions, the replica; and now and then it deletes old items. */
  static void fill(ItemBatch batch, long n) {
    batch
        .putItem(number(n), value(n))
        .putLogical(number(n % LOGICALS), number(n))
        .putReplica(APPLIED, number(n));
    if (n % WINDOW == 0) {
      batch.deleteRange(number(n - WINDOW + LOGICALS), number(n - WINDOW / 2));
    }
  }

  /** Whether item m is there when batch n was the last. */
  static boolean isThere(long m, long n) {
    long place = m % WINDOW;
    boolean deleted = place >= LOGICALS && place < WINDOW / 2 && n >= m - place + WINDOW;
    return m >= 1 && m <= n && !deleted;
  }

  static byte[] value(long n) {
    byte[] value = new byte[300 + (int) (n % 700)];
    ByteBuffer.wrap(value).putLong(n);
    for (int i = 8; i < value.length; i++) {
      value[i] = (byte) (n * 31 + i * 7L);
    }
    return value;
  }

  static byte[] number(long n) {
    return ByteBuffer.allocate(8).putLong(n).array();
  }
}
