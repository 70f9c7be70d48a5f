package dev.partita.persistence.keyspace;

import java.util.Arrays;

/**
 * A key of an item or of a logical partition, taken apart. Each accessor decodes its part anew: a caller that
 * needs one part pays for one.
 */
public final class StoreKey {
  private final byte[] key;
  private final int partitionKeyStart;
  private final int idStart;

  private StoreKey(byte[] key, int partitionKeyStart, int idStart) {
    this.key = key;
    this.partitionKeyStart = partitionKeyStart;
    this.idStart = idStart;
  }

  /**
   * Takes apart what {@link StoreKeys#item} or {@link StoreKeys#logical} made. Keeps the array.
   *
   * @throws IllegalArgumentException if it is no such key
   */
  public static StoreKey of(byte[] key) {
    if (key.length < StoreKeys.PREFIX_BYTES) {
      throw notAKey(key);
    }
    int partitionKeyStart = endOfPart(key, StoreKeys.PREFIX_BYTES);
    return new StoreKey(key, partitionKeyStart, endOfPart(key, partitionKeyStart));
  }

  public long lineage() {
    return number(0);
  }

  public long slot() {
    return number(8);
  }

  public byte[] effectivePartitionKey() {
    return part(StoreKeys.PREFIX_BYTES, partitionKeyStart);
  }

  public byte[] partitionKey() {
    return part(partitionKeyStart, idStart);
  }

  /** The id of the item; empty for the key of a logical partition. */
  public byte[] id() {
    return Arrays.copyOfRange(key, idStart, key.length);
  }

  /** Whether another item, or logical partition, is in the same logical partition of the same slot. */
  public boolean isInLogicalPartitionOf(StoreKey other) {
    return Arrays.equals(key, 0, idStart, other.key, 0, other.idStart);
  }

  private long number(int offset) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | (key[offset + i] & 0xFF);
    }
    return value;
  }

  private static int endOfPart(byte[] key, int start) {
    for (int i = start; i + 1 < key.length; i++) {
      if (key[i] == StoreKeys.ESCAPE) {
        i++;
        if (key[i] == StoreKeys.END) {
          return i + 1;
        }
        if (key[i] != StoreKeys.ESCAPED_ZERO) {
          throw notAKey(key);
        }
      }
    }
    throw notAKey(key);
  }

  /** The part whose encoding, with its end, is in {@code [start, end)}. */
  private byte[] part(int start, int end) {
    byte[] part = new byte[end - 2 - start];
    int length = 0;
    for (int i = start; i < end - 2; i++) {
      part[length++] = key[i];
      if (key[i] == StoreKeys.ESCAPE) {
        i++;
      }
    }
    return length == part.length ? part : Arrays.copyOf(part, length);
  }

  private static IllegalArgumentException notAKey(byte[] key) {
    return new IllegalArgumentException(
        "not a key of an item or a logical partition: " + key.length + " bytes");
  }
}
