package dev.partita.http.route;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds what is in flight, so that a flood is refused at the door instead of filling the heap. */
final class Admission {
  private final int requestsMax;
  private final long bodyBytesMax;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bodyBytes = new AtomicLong();

  Admission(Settings settings) {
    this.requestsMax = settings.requestsInFlightMax();
    this.bodyBytesMax = settings.bodyBytesInFlightMax();
  }

  /**
   * Whether one more request may come in; {@link #leave} must follow with the same size if so.
   *
   * @param size bytes of its body
   */
  boolean enter(long size) {
    int count = requests.incrementAndGet();
    long bytes = bodyBytes.addAndGet(size);
    boolean fits = count <= requestsMax && bytes <= bodyBytesMax;
    if (!fits) {
      leave(size);
    }
    return fits;
  }

  void leave(long size) {
    requests.decrementAndGet();
    bodyBytes.addAndGet(-size);
  }
}
