package dev.partita.persistence.log;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What waits for the committer: any thread puts in, without ever waiting; the committer takes all. */
final class WriteQueue {
  private final long bytesMax;
  private ArrayDeque<Write> waiting = new ArrayDeque<>();
  private ArrayDeque<Write> empty = new ArrayDeque<>();
  private long bytes;
  private boolean takerWaits;
  private @Nullable LogException closedBecause;

  WriteQueue(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Adds a write, or says why not. */
  synchronized @Nullable LogException offer(Write write) {
    if (closedBecause != null) {
      return closedBecause;
    }
    if (bytes > 0 && bytes + write.sizeBytes() > bytesMax) {
      return new LogException.Overloaded(
          "%d bytes wait for the log, the limit is %d: try again later".formatted(bytes, bytesMax));
    }
    bytes += write.sizeBytes();
    waiting.add(write);
    if (takerWaits) {
      takerWaits = false;
      notifyAll();
    }
    return null;
  }

  /**
   * Takes everything that waits, once there is something; nothing comes any more when the result is
   * empty. The result is valid until the next call.
   */
  synchronized ArrayDeque<Write> takeAll() throws InterruptedException {
    while (waiting.isEmpty() && closedBecause == null) {
      takerWaits = true;
      wait();
    }
    var taken = waiting;
    waiting = empty;
    empty = taken;
    return taken;
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The bytes of writes that were taken and are done with. */
  synchronized void release(long doneBytes) {
    bytes -= doneBytes;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Refuses everything from now on; what waits can still be taken. The first reason stays. */
  synchronized void close(LogException reason) {
    if (closedBecause == null) {
      closedBecause = reason;
      notifyAll();
    }
  }

  synchronized @Nullable LogException closedBecause() {
    return closedBecause;
  }
}
