package dev.partita.persistence.keyspace;

import java.util.Arrays;

/** The keys in {@code [from, toExclusive)}, compared as unsigned bytes. The arrays are not to be changed. */
public final class KeyRange {
  private final byte[] from;
  private final byte[] toExclusive;

  KeyRange(byte[] from, byte[] toExclusive) {
    this.from = from;
    this.toExclusive = toExclusive;
  }

  public byte[] from() {
    return from;
  }

  public byte[] toExclusive() {
    return toExclusive;
  }

  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, toExclusive) < 0;
  }
}
