package dev.partita.persistence.keyspace;

/** Writes one key into an array of exactly its size. */
final class KeyWriter {
  private final byte[] key;
  private int position = StoreKeys.PREFIX_BYTES;

  KeyWriter(long lineage, long slot, int bytesAfterPrefix) {
    key = new byte[StoreKeys.PREFIX_BYTES + bytesAfterPrefix];
    putLong(key, 0, requireNumber("lineage", lineage));
    putLong(key, 8, requireNumber("slot", slot));
  }

  KeyWriter part(byte[] part) {
    escaped(part);
    key[position++] = StoreKeys.ESCAPE;
    key[position++] = StoreKeys.END;
    return this;
  }

  KeyWriter escaped(byte[] part) {
    for (byte b : part) {
      key[position++] = b;
      if (b == StoreKeys.ESCAPE) {
        key[position++] = StoreKeys.ESCAPED_ZERO;
      }
    }
    return this;
  }

  KeyWriter raw(byte[] bytes) {
    System.arraycopy(bytes, 0, key, position, bytes.length);
    position += bytes.length;
    return this;
  }

  byte[] key() {
    return key;
  }

  static void putLong(byte[] target, int offset, long value) {
    for (int i = 0; i < 8; i++) {
      target[offset + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  static long requireNumber(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " is 0 or more, not " + value);
    }
    return value;
  }
}
