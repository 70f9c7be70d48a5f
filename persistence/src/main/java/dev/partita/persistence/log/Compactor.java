package dev.partita.persistence.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The housekeeper: allocates segments ahead, and frees the oldest segment, again and again, while that is worth something. Segments go strictly
 * oldest first, so a deletion never goes before the events that it deletes.
 *
 * <p>A segment without live events goes at once. If the log is large and at least half of it is
 * garbage, the live events of the oldest segment are first copied forward, which costs at most as
 * much as it frees. Highest sequence numbers that only this segment proves are written anew. All of
 * that is durable before the file is given up, and harmless if a crash makes it happen twice.
 */
final class Compactor {
  private static final Logger log = LoggerFactory.getLogger(SegmentedLog.class);
  private static final int CHUNK_BYTES = 256 << 10;
  private static final int CHUNK_EVENTS = 256;
  private static final long RETRY_SECONDS = 1;

  private final LogSettings settings;
  private final Segments segments;
  private final SpareSegments spares;
  private final Index index;
  private final RecordReader reader;
  private final Appender appender;
  private final ScheduledExecutorService executor;
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final int chunkBytes;
  private final History.Page page;
  private final ArrayDeque<History> left = new ArrayDeque<>();
  private int copyingFrom = -1;

  /** The log's own door for writes. */
  interface Appender {
    void append(Write write, Completion completion);
  }

  Compactor(
      LogSettings settings,
      Segments segments,
      SpareSegments spares,
      Index index,
      RecordReader reader,
      Appender appender,
      ScheduledExecutorService executor) {
    this.settings = settings;
    this.segments = segments;
    this.spares = spares;
    this.index = index;
    this.reader = reader;
    this.appender = appender;
    this.executor = executor;
    this.chunkBytes = Math.min(CHUNK_BYTES, settings.largestWriteBytes() / 2);
    this.page = new History.Page(CHUNK_EVENTS, chunkBytes);
  }

  /** Called after every flush: starts the work if there is some. Cheap if there is none. */
  void poke() {
    if (isWorthwhile() && scheduled.compareAndSet(false, true)) {
      schedule(0);
    }
  }

  /** Allocates ahead of the committer. */
  void replenish() {
    try {
      executor.execute(this::allocateAhead);
    } catch (RejectedExecutionException closing) {
      log.trace("closing: no more segments are needed", closing);
    }
  }

  private void allocateAhead() {
    try {
      spares.replenish();
    } catch (IOException e) {
      log.warn("A log segment could not be allocated in {}", settings.directory(), e);
    }
  }

  private boolean isWorthwhile() {
    var oldest = segments.oldest();
    return oldest != segments.active() && (oldest.liveEvents.get() == 0 || isGarbageHeavy());
  }

  private boolean isGarbageHeavy() {
    long total = segments.totalBytes();
    return total > settings.compactAtBytes() && 2 * segments.liveBytes() <= total;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // step() deals with its own failures
  private void schedule(long delayMicros) {
    try {
      executor.schedule(this::step, delayMicros, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closing) {
      scheduled.set(false); // the next run of the log goes on from here
    }
  }

  private void step() {
    try {
      if (!isWorthwhile()) {
        scheduled.set(false);
        poke(); // for what changed just before the flag was cleared
        return;
      }
      var oldest = segments.oldest();
      if (oldest.liveEvents.get() == 0) {
        free(oldest);
      } else {
        copyChunk(oldest);
      }
    } catch (IOException | RuntimeException e) {
      log.warn("Compaction of the log in {} failed, it is tried again", settings.directory(), e);
      retryLater();
    }
  }

  private void free(Segment oldest) {
    var notes = new Write();
    long bytes = 0;
    for (History history : index.all()) {
      if (history.isProvenOnlyIn(oldest.number())) {
        var note = LogRecord.state(history.persistenceId);
        note.history = history;
        bytes += note.encodedBytes();
        if (bytes > chunkBytes) {
          append(notes, 0);
          return;
        }
        notes.add(note);
      }
    }
    notes.add(LogRecord.reclaim(oldest.number()));
    appender.append(notes, failure -> onEnd(failure, () -> giveUp(oldest)));
  }

  /** Everything worth keeping is elsewhere, durably. */
  private void giveUp(Segment oldest) {
    try {
      segments.retire(oldest);
      spares.recycle(oldest);
      schedule(0);
    } catch (IOException e) {
      log.warn("A free segment in {} could not be reused", settings.directory(), e);
      retryLater();
    }
  }

  private void copyChunk(Segment oldest) throws IOException {
    if (copyingFrom != oldest.number()) {
      copyingFrom = oldest.number();
      left.clear();
      left.addAll(index.all());
    }
    var copies = new Write();
    long bytes = 0;
    boolean more = false;
    while (!left.isEmpty() && !more) {
      var history = left.element();
      more = history.findIn(oldest.number(), page);
      if (bytes > 0 && bytes + page.bytes() > chunkBytes) {
        break;
      }
      copyPage(history, copies);
      bytes += page.bytes();
      if (!more) {
        left.remove();
      }
    }
    if (left.isEmpty()) {
      copyingFrom = -1; // should anything be left, it is looked for once more
    }
    append(copies, bytes * 1_000_000 / settings.compactBytesPerSecond());
  }

  private void copyPage(History history, Write copies) throws IOException {
    for (int at = 0; at < page.size(); at++) {
      var body = reader.body(history, page, at);
      if (body != null) {
        var copy = new byte[body.remaining()];
        body.get(copy);
        copies.add(LogRecord.copy(
            history.persistenceId, page.sequenceNr(at), copy, page.segment(at), page.offset(at)));
      }
    }
  }

  private void append(Write write, long thenWaitMicros) {
    appender.append(write, failure -> onEnd(failure, () -> schedule(thenWaitMicros)));
  }

  private void onEnd(@Nullable LogException failure, Runnable next) {
    if (failure == null) {
      try {
        executor.execute(next);
      } catch (RejectedExecutionException closing) {
        scheduled.set(false); // the next run of the log goes on from here
      }
    } else if (failure instanceof LogException.Stopped) {
      scheduled.set(false); // for good
    } else {
      retryLater();
    }
  }

  private void retryLater() {
    schedule(TimeUnit.SECONDS.toMicros(RETRY_SECONDS));
  }
}
