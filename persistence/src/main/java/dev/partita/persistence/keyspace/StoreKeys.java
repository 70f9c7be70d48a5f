package dev.partita.persistence.keyspace;

import java.util.Arrays;

/**
 * Keys of the item store. Compared as unsigned bytes they sort by lineage, slot, effective partition key,
 * partition key, id; different parts never give the same key.
 *
 * <pre>
 * item               = lineage(8) slot(8) part(effective partition key) part(partition key) id
 * logical partition  = lineage(8) slot(8) part(effective partition key) part(partition key)
 * part(bytes)        = bytes, with 00 written as 00 FF, then 00 01
 * </pre>
 *
 * <p>A range of effective partition keys is one range of both kinds of key. These bytes are on disk: they do not
 * change without a new format version of the data directory.
 */
public final class StoreKeys {
  static final int PREFIX_BYTES = 16;
  static final byte ESCAPE = 0x00;
  static final byte ESCAPED_ZERO = (byte) 0xFF;
  static final byte END = 0x01;
  private static final byte AFTER_END = 0x02;

  private StoreKeys() {}

  /**
   * Key of an item.
   *
   * @param lineage of the container, 0 or more
   * @param slot of the replica in its node, 0 or more
   */
  public static byte[] item(
      long lineage, long slot, byte[] effectivePartitionKey, byte[] partitionKey, byte[] id) {
    return new KeyWriter(
            lineage, slot, partBytes(effectivePartitionKey) + partBytes(partitionKey) + id.length)
        .part(effectivePartitionKey)
        .part(partitionKey)
        .raw(id)
        .key();
  }

  /** Key of the record of a logical partition; also the lower bound of its items. */
  public static byte[] logical(
      long lineage, long slot, byte[] effectivePartitionKey, byte[] partitionKey) {
    return new KeyWriter(lineage, slot, partBytes(effectivePartitionKey) + partBytes(partitionKey))
        .part(effectivePartitionKey)
        .part(partitionKey)
        .key();
  }

  /** The keys of all items of one logical partition. */
  public static KeyRange logicalPartition(
      long lineage, long slot, byte[] effectivePartitionKey, byte[] partitionKey) {
    byte[] from = logical(lineage, slot, effectivePartitionKey, partitionKey);
    byte[] to = from.clone();
    to[to.length - 1] = AFTER_END;
    return new KeyRange(from, to);
  }

  /**
   * The keys, of items or of logical partitions, whose effective partition key is in {@code [min, max)}.
   *
   * @param min empty for the lowest
   * @param max only FF bytes for the highest: nothing lies above it
   */
  public static KeyRange range(long lineage, long slot, byte[] min, byte[] max) {
    return new KeyRange(
        bound(lineage, slot, min), isTop(max) ? end(lineage, slot) : bound(lineage, slot, max));
  }

  /** The keys, of items or of logical partitions, of a whole slot. */
  public static KeyRange slot(long lineage, long slot) {
    return new KeyRange(bound(lineage, slot, new byte[0]), end(lineage, slot));
  }

  /** The lowest key above another one: where a scan goes on after it. */
  public static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The same key in another slot. */
  public static byte[] inSlot(byte[] key, long slot) {
    byte[] moved = key.clone();
    KeyWriter.putLong(moved, 8, KeyWriter.requireNumber("slot", slot));
    return moved;
  }

  /** Without its end, a part sorts before every key that starts with it and after every lower one. */
  private static byte[] bound(long lineage, long slot, byte[] effectivePartitionKey) {
    return new KeyWriter(lineage, slot, partBytes(effectivePartitionKey) - 2)
        .escaped(effectivePartitionKey)
        .key();
  }

  /** Just above the last key of a slot. */
  private static byte[] end(long lineage, long slot) {
    var key = new KeyWriter(lineage, slot, 0).key();
    KeyWriter.putLong(key, 8, slot + 1); // as unsigned, so the highest slot has a successor too
    return key;
  }

  private static boolean isTop(byte[] max) {
    for (byte b : max) {
      if (b != (byte) 0xFF) {
        return false;
      }
    }
    return max.length > 0;
  }

  private static int partBytes(byte[] part) {
    int zeros = 0;
    for (byte b : part) {
      if (b == ESCAPE) {
        zeros++;
      }
    }
    return part.length + zeros + 2;
  }
}
