package dev.partita.persistence.engine;

/**
 * How much memory and how many files an item store may use. The memory is native, outside the heap.
 *
 * @param blockCacheBytes read cache; index, filter and write buffers are charged to it
 * @param writeBufferTotalBytes what all write buffers may hold together before they are flushed
 * @param writeBufferBytes size of one write buffer of one family
 * @param writeBufferCountMax write buffers of one family that may exist before writes wait
 * @param backgroundJobsMax threads that flush and compact
 * @param openFilesMax files kept open
 */
public record ItemStoreSettings(
    long blockCacheBytes,
    long writeBufferTotalBytes,
    long writeBufferBytes,
    int writeBufferCountMax,
    int backgroundJobsMax,
    int openFilesMax) {
  private static final long MIB = 1 << 20;

  /** For a node with two cores and some 512 MB of heap: about 64 MB of native memory. */
  public static final ItemStoreSettings SMALL_NODE =
      new ItemStoreSettings(64 * MIB, 48 * MIB, 16 * MIB, 4, 2, 512);

  public ItemStoreSettings {
    atLeast("blockCacheBytes", blockCacheBytes, MIB);
    atLeast("writeBufferTotalBytes", writeBufferTotalBytes, MIB);
    atLeast("writeBufferBytes", writeBufferBytes, 64 << 10);
    atLeast("writeBufferCountMax", writeBufferCountMax, 2);
    atLeast("backgroundJobsMax", backgroundJobsMax, 2);
    atLeast("openFilesMax", openFilesMax, 32);
  }

  private static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be " + least + " or more, not " + value);
    }
  }
}
