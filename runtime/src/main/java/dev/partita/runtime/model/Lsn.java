package dev.partita.runtime.model;

/**
 * Position in the log of a physical partition: 1, 2, 3, without gaps. Zero is the position before the
 * first entry.
 *
 * @param value 0 or more
 */
public record Lsn(long value) implements Comparable<Lsn> {
  public static final Lsn ZERO = new Lsn(0);

  public Lsn {
    if (value < 0) {
      throw new IllegalArgumentException("an LSN is 0 or more, not " + value);
    }
  }

  public static Lsn max(Lsn a, Lsn b) {
    return a.value >= b.value ? a : b;
  }

  public static Lsn min(Lsn a, Lsn b) {
    return a.value <= b.value ? a : b;
  }

  public Lsn next() {
    return new Lsn(value + 1);
  }

  public Lsn plus(long count) {
    return new Lsn(value + count);
  }

  public boolean isAfter(Lsn other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Lsn other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
