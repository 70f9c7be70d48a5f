package dev.partita.persistence.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
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
  private final Admission admission;
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
    this.admission = new Admission(faults);
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
        var refusal = admission.refusal(write);
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
    if (history != null && !Admission.settle(record, history)) {
      return;
    }
    batch.add(record);
  }

  /** Goes on in a new segment; without one, what grows the log fails and the rest is tried alone. */
  private void roll(long bytes) throws IOException {
    try {
      activate(open.stream().anyMatch(write -> !write.failed() && write.grows()));
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

  private void activate(boolean grows) throws IOException {
    active = spares.activate(active.number() + 1, nextBatch, reclaimedThrough, grows);
    segments.add(active);
    tail = Format.SEGMENT_HEADER_BYTES;
    markerDue = false;
    compactor.replenish();
  }

  private void failOpen(LogException.DiskFull full, boolean onlyGrowing) {
    for (Write write : open) {
      if (!write.failed() && (!onlyGrowing || write.grows())) {
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
