package dev.partita.runtime.placement;

import dev.partita.runtime.model.Uid;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Decides which stores hold the replicas of a new physical partition. */
public final class Placement {
  /** How many replicas a replica set has when there are stores enough. */
  public static final int REPLICAS = 4;

  private Placement() {}

  /**
   * The stores that hold the fewest replicas, at most {@link #REPLICAS} of them, in order of uid.
   *
   * @param stores stores that are up
   * @param replicas how many replicas each store holds; absent is none
   */
  public static List<Uid> choose(Collection<Uid> stores, Map<Uid, Integer> replicas) {
    return stores.stream()
        .sorted(Comparator.<Uid>comparingInt(store -> replicas.getOrDefault(store, 0))
            .thenComparing(Comparator.naturalOrder()))
        .limit(REPLICAS)
        .sorted()
        .toList();
  }
}
