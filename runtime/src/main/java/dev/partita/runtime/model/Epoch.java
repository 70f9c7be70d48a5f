package dev.partita.runtime.model;

/**
 * Numbers the primaries of a replica set; a lower epoch has no effect. Two attempts never share one,
 * since each draws its own attempt uid (replication.md section 3).
 *
 * @param counter 0 or more
 * @param attempt drawn from a secure random source for every attempt to become primary
 */
public record Epoch(long counter, Uid attempt) implements Comparable<Epoch> {
  public static final Epoch ZERO = new Epoch(0, Uid.ZERO);

  public Epoch {
    if (counter < 0) {
      throw new IllegalArgumentException("an epoch counter is 0 or more, not " + counter);
    }
  }

  public static Epoch max(Epoch a, Epoch b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  @Override
  public int compareTo(Epoch other) {
    int byCounter = Long.compare(counter, other.counter);
    return byCounter != 0 ? byCounter : attempt.compareTo(other.attempt);
  }

  @Override
  public String toString() {
    return counter + "." + attempt.toString().substring(0, 8);
  }
}
