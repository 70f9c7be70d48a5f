package dev.partita.runtime.item;

import dev.partita.runtime.model.ResourceId;
import java.util.concurrent.atomic.AtomicLong;

/** Gives every item that is created in a container a number of its own for its RID. Thread-safe. */
@FunctionalInterface
public interface RidSource {
  /** A number that is higher than all before it ({@link ResourceId#itemNumber}). */
  long next();

  /**
   * The numbers that a partition key range gives.
   *
   * @param rangeId of the range, 0 to 65,535
   * @param first counter above all that the range ever gave
   */
  static RidSource of(int rangeId, long first) {
    var counter = new AtomicLong(first);
    return () -> ResourceId.itemNumber(rangeId, counter.getAndIncrement());
  }
}
