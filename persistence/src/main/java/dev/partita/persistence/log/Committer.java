package dev.partita.persistence.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes: takes whatever waits, writes it in one piece, syncs once, brings the
 * index up to date, and then completes the writes in the order in which they came. It alone decides
 * what is written, so that every check is made against all that was written before.
 */
final class Committer implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(SegmentedLog.class);

  private final LogSettings settings;
  private final WriteQueue queue;
  private final Segments segments;
  private final SpareSegments spares;
  private final Index index;
  private final LogFaults faults;
  private final Compactor compactor;
  private final Batch batch;
  private final Batch marker = new Batch(0);
  private final List<Write> open = new ArrayList<>();
  private final LongAdder batches = new LongAdder();
  private final LongAdder records = new LongAdder();
  private final LongAdder writtenBytes = new LongAdder();

  private Segment active;
  private int tail;
  private long nextBatch;
  private int reclaimedThrough;
  private boolean markerDue;

  Committer(
      LogSettings settings,
      WriteQueue queue,
      Segments segments,
      SpareSegments spares,
      Index index,
      LogFaults faults,
      SegmentScanner.End end,
      int reclaimedThrough,
      Compactor compactor) {
    this.settings = settings;
    this.queue = queue;
    this.segments = segments;
    this.spares = spares;
    this.index = index;
    this.faults = faults;
    this.compactor = compactor;
    this.batch = new Batch(Math.min(settings.batchBytes(), settings.largestWriteBytes()));
    this.active = segments.active();
    this.tail = end.offset();
    this.nextBatch = end.nextBatch();
    this.reclaimedThrough = reclaimedThrough;
  }

  @Override
  public void run() {
    ArrayDeque<Write> taken = new ArrayDeque<>();
    try {
      for (taken = queue.takeAll(); !taken.isEmpty(); taken = queue.takeAll()) {
        while (!taken.isEmpty()) {
          flush(taken);
        }
        markIfIdle();
      }
    } catch (IOException | RuntimeException | Error | InterruptedException e) {
      stop(e, taken);
    }
  }

  LogStats stats() {
    return new LogStats(
        segments.count(),
        segments.totalBytes(),
        segments.liveBytes(),
        index.count(),
        queue.bytes(),
        batches.sum(),
        records.sum(),
        writtenBytes.sum());
  }

  private void flush(ArrayDeque<Write> taken) throws IOException {
    long bytes = openNext(taken);
    encode(bytes);
    if (batch.count() > 0 && !fits()) {
      roll(bytes);
    }
    if (batch.count() > 0) {
      int length = batch.length();
      active.file.write(batch.finish(active.header.salt(), nextBatch), tail);
      active.file.force();
      applyAll();
      tail += length;
      nextBatch++;
      markerDue = true;
      batches.increment();
      records.add(batch.count());
      writtenBytes.add(length);
    }
    queue.release(bytes);
    for (Write write : open) {
      complete(write);
    }
    open.clear();
    compactor.poke();
  }

  /** Moves writes into the open batch, as many as one flush and the rest of the segment hold. */
  private long openNext(ArrayDeque<Write> taken) {
    long room =
        (long) active.header.bytes() - tail - Format.MARKER_BYTES - Format.BATCH_OVERHEAD_BYTES;
    long first = taken.element().sizeBytes();
    long most = Math.min(settings.batchBytes(), settings.largestWriteBytes());
    long limit = Math.max(first, first <= room ? Math.min(most, room) : most);
    long bytes = 0;
    while (!taken.isEmpty() && bytes + taken.element().sizeBytes() <= limit) {
      var write = taken.remove();
      bytes += write.sizeBytes();
      open.add(write);
    }
    return bytes;
  }

  private boolean fits() {
    return (long) tail + batch.length() + Format.MARKER_BYTES <= active.header.bytes();
  }

  private void encode(long bytes) {
    batch.begin(bytes);
    for (Write write : open) {
      if (!write.failed()) {
        var refusal = refusal(write);
        if (refusal != null) {
          write.fail(refusal);
        } else {
          write.records().forEach(this::encode);
        }
      }
    }
  }

  private void encode(LogRecord record) {
    record.length = 0;
    var history = record.history;
    if (history != null && !settle(record, history)) {
      return;
    }
    batch.add(record);
  }

  /** Fills in what only the committer knows; false if the record has become pointless. */
  private static boolean settle(LogRecord record, History history) {
    switch (record.kind) {
      case Format.EVENT -> {
        if (!record.isNewEvent()) {
          return history.isAt(record.sequenceNr, record.originalSegment, record.originalOffset);
        }
        history.pendingHighest = record.sequenceNr;
      }
      case Format.DELETE -> {
        record.control = history.pendingHighest;
        record.sequenceNr = Math.min(record.sequenceNr, history.pendingHighest);
        return record.sequenceNr > history.deletedTo();
      }
      default -> {
        record.sequenceNr = history.highest();
        record.control = history.deletedTo();
      }
    }
    return true;
  }

  private @Nullable LogException refusal(Write write) {
    var records = write.records();
    for (int i = 0; i < records.size(); i++) {
      var record = records.get(i);
      if (faults.failsWritesOf(record.persistenceId)) {
        return new LogException.Injected(
            "writes of %s fail on command".formatted(record.persistenceId));
      }
      if (record.isNewEvent() && record.sequenceNr <= highestBefore(records, i)) {
        return new LogException.SecondWriter(
            "%s has an event %d already, up to %d: a second writer is at work, stop one of them"
                .formatted(record.persistenceId, record.sequenceNr, highestBefore(records, i)));
      }
    }
    return null;
  }

  /** The highest sequence number of a record's history, earlier records of its write included. */
  private static long highestBefore(List<LogRecord> records, int at) {
    var history = records.get(at).history;
    for (int i = at - 1; i >= 0; i--) {
      if (records.get(i).history == history && records.get(i).isNewEvent()) {
        return records.get(i).sequenceNr;
      }
    }
    return history == null ? 0 : history.pendingHighest;
  }

  /** Goes on in a new segment; without one, writes with new events fail and the others are tried. */
  private void roll(long bytes) throws IOException {
    try {
      activate(open.stream().anyMatch(write -> !write.failed() && write.hasNewEvents()));
    } catch (LogException.DiskFull full) {
      failOpen(full, true);
      encode(bytes);
      if (batch.count() == 0 || fits()) {
        return;
      }
      try {
        activate(false);
      } catch (LogException.DiskFull stillFull) {
        failOpen(stillFull, false);
        batch.begin(0);
      }
    }
  }

  private void activate(boolean addsEvents) throws IOException {
    active = spares.activate(active.number() + 1, nextBatch, reclaimedThrough, addsEvents);
    segments.add(active);
    tail = Format.SEGMENT_HEADER_BYTES;
    markerDue = false;
    compactor.replenish();
  }

  private void failOpen(LogException.DiskFull full, boolean onlyNewEvents) {
    for (Write write : open) {
      if (!write.failed() && (!onlyNewEvents || write.hasNewEvents())) {
        write.fail(full);
      }
      for (LogRecord record : write.records()) {
        if (record.history != null) {
          record.history.pendingHighest = record.history.highest();
        }
      }
    }
  }

  private void applyAll() {
    for (Write write : open) {
      if (!write.failed()) {
        write.records().forEach(this::apply);
      }
    }
  }

  private void apply(LogRecord record) {
    if (record.kind == Format.RECLAIM) {
      reclaimedThrough = Math.max(reclaimedThrough, Math.toIntExact(record.sequenceNr));
    } else if (record.length > 0 && record.history != null) {
      index.apply(
          record.history,
          record.kind,
          record.flags,
          record.sequenceNr,
          record.control,
          active.number(),
          tail + record.offset,
          record.length);
    }
  }

  private static void complete(Write write) {
    try {
      write.complete();
    } catch (RuntimeException e) {
      log.error("The completion of a write failed, the log goes on", e);
    }
  }

  /** Proves that the last batch was durable; not synced, the next batch overwrites it. */
  private void markIfIdle() throws IOException {
    if (markerDue && queue.isEmpty()) {
      marker.begin(0);
      active.file.write(marker.finish(active.header.salt(), nextBatch), tail);
      markerDue = false;
    }
  }

  private void stop(Throwable cause, ArrayDeque<Write> taken) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    var stopped = new LogException.Stopped(
        "the log in %s stopped after %s; restart to go on with what is durable"
            .formatted(settings.directory(), cause),
        cause);
    log.error(stopped.getMessage(), cause);
    queue.close(stopped);
    for (Write write : open) {
      write.fail(stopped);
      complete(write);
    }
    drain(taken, stopped);
    try {
      drain(queue.takeAll(), stopped);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void drain(ArrayDeque<Write> writes, LogException reason) {
    for (Write write = writes.poll(); write != null; write = writes.poll()) {
      write.fail(reason);
      complete(write);
    }
  }
}
