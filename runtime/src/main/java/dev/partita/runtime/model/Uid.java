package dev.partita.runtime.model;

/**
 * A 128 bit identity, ordered as an unsigned number. Names stores, clusters and attempts to lead.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record Uid(long high, long low) implements Comparable<Uid> {
  public static final Uid ZERO = new Uid(0, 0);

  /** Reads the 32 hexadecimal digits that {@link #toString} writes. */
  public static Uid parse(String text) {
    if (text.length() != 32) {
      throw new IllegalArgumentException("a uid has 32 hexadecimal digits, not: " + text);
    }
    return new Uid(
        Long.parseUnsignedLong(text.substring(0, 16), 16),
        Long.parseUnsignedLong(text.substring(16), 16));
  }

  @Override
  public int compareTo(Uid other) {
    int byHigh = Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
