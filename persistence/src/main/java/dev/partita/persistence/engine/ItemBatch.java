package dev.partita.persistence.engine;

import java.util.Arrays;

/**
 * Changes that the store takes all or none. Filled by one thread; it holds heap memory only, outlives the
 * store, and can be cleared and filled again.
 *
 * <p>The bytes are built here in RocksDB's own batch format and handed over in one call: a native call per
 * change would cost more than composing it.
 */
public final class ItemBatch {
  private static final int HEADER_BYTES = 12; // sequence number, count; both little-endian
  private static final int COUNT_OFFSET = 8;
  private static final int CAPACITY_FIRST = 4 << 10;
  private static final int CAPACITY_KEPT = 1 << 20;
  private static final byte PUT = 0x5;
  private static final byte DELETE = 0x4;
  private static final byte DELETE_RANGE = 0xE;

  private final Families families;
  private byte[] bytes = new byte[CAPACITY_FIRST];
  private int length = HEADER_BYTES;
  private int count;

  ItemBatch(Families families) {
    this.families = families;
  }

  public ItemBatch putItem(byte[] key, byte[] value) {
    return put(families.items(), key, value);
  }

  public ItemBatch deleteItem(byte[] key) {
    return delete(families.items(), key);
  }

  public ItemBatch putLogical(byte[] key, byte[] value) {
    return put(families.logicals(), key, value);
  }

  public ItemBatch deleteLogical(byte[] key) {
    return delete(families.logicals(), key);
  }

  public ItemBatch putReplica(byte[] key, byte[] value) {
    return put(families.replicas(), key, value);
  }

  public ItemBatch deleteReplica(byte[] key) {
    return delete(families.replicas(), key);
  }

  /** Deletes the items and the logical partitions in {@code [from, toExclusive)}. */
  public ItemBatch deleteRange(byte[] from, byte[] toExclusive) {
    int order = Arrays.compareUnsigned(from, toExclusive);
    if (order > 0) {
      throw new IllegalArgumentException("the range to delete ends before it begins");
    }
    if (order < 0) {
      entry(DELETE_RANGE, families.items(), from, toExclusive);
      entry(DELETE_RANGE, families.logicals(), from, toExclusive);
    }
    return this;
  }

  /** Changes in this batch. */
  public int count() {
    return count;
  }

  /** Bytes of keys and values with their lengths; 12 for an empty batch. */
  public int sizeBytes() {
    return length;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Forgets all changes, to be filled again. */
  public ItemBatch clear() {
    if (bytes.length > CAPACITY_KEPT) {
      bytes = new byte[CAPACITY_FIRST];
    }
    length = HEADER_BYTES;
    count = 0;
    return this;
  }

  /** The batch as RocksDB reads it. */
  byte[] encoded() {
    byte[] encoded = Arrays.copyOf(bytes, length);
    for (int i = 0; i < 4; i++) {
      encoded[COUNT_OFFSET + i] = (byte) (count >>> (8 * i));
    }
    return encoded;
  }

  private ItemBatch put(int family, byte[] key, byte[] value) {
    entry(PUT, family, key, value);
    return this;
  }

  private ItemBatch delete(int family, byte[] key) {
    reserve(11L + key.length);
    bytes[length++] = DELETE;
    varint(family);
    chunk(key);
    count++;
    return this;
  }

  private void entry(byte tag, int family, byte[] first, byte[] second) {
    reserve(16L + first.length + second.length);
    bytes[length++] = tag;
    varint(family);
    chunk(first);
    chunk(second);
    count++;
  }

  private void chunk(byte[] chunk) {
    varint(chunk.length);
    System.arraycopy(chunk, 0, bytes, length, chunk.length);
    length += chunk.length;
  }

  private void varint(int value) {
    int rest = value;
    while (rest >= 0x80) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed > bytes.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalStateException("a batch holds less than 2 GB: write it in parts");
      }
      int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * bytes.length));
      bytes = Arrays.copyOf(bytes, capacity);
    }
  }
}
