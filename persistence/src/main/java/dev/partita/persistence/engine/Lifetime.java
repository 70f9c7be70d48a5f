package dev.partita.persistence.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts who is inside, so that native memory is freed only after the last one left, and nobody enters
 * afterwards. Entering and leaving cost one atomic addition each.
 */
final class Lifetime {
  private static final long ENDED = Long.MIN_VALUE;

  private final String what;
  private final @Nullable Lifetime outer;
  private final AtomicLong inside = new AtomicLong(); // negative from end() on
  private final CountDownLatch empty = new CountDownLatch(1);

  /** A life within another one: who is inside this is inside the other as well. */
  Lifetime(String what, @Nullable Lifetime outer) {
    this.what = what;
    this.outer = outer;
  }

  /** Every call that returns is followed by one {@link #leave}. */
  void enter() {
    if (outer != null) {
      outer.enter();
    }
    if (inside.getAndIncrement() < 0) {
      leave();
      throw new StoreClosedException(what);
    }
  }

  /** As {@link #enter}, for who can do without. */
  boolean tryEnter() {
    try {
      enter();
      return true;
    } catch (StoreClosedException e) {
      return false;
    }
  }

  void leave() {
    if (inside.decrementAndGet() == ENDED) {
      empty.countDown();
    }
    if (outer != null) {
      outer.leave();
    }
  }

  boolean hasEnded() {
    return inside.get() < 0;
  }

  /** Lets nobody enter any more and waits until all have left; an interrupt is kept for later. */
  void end() {
    if (inside.getAndUpdate(count -> count < 0 ? count : count + ENDED) == 0) {
      empty.countDown();
    }
    boolean interrupted = false;
    while (true) {
      try {
        empty.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
