package dev.partita.persistence.log;

import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of a node: events by persistence id and sequence number, made durable in groups.
 *
 * <p>A write is all or nothing and durable when its {@link Completion} is told so; completions come
 * in the order of the writes. Reads see what is durable. All methods may be called from any thread
 * and none waits for the disk, but for {@link #open} and {@link #close}.
 *
 * <p>After a failed write or sync the log refuses all further writes with {@link
 * LogException.Stopped}: nothing is tried again on a disk that lost something. A full disk is
 * different: it shows before anything is written, fails the writes concerned with {@link
 * LogException.DiskFull}, and is over when there is room.
 */
public final class SegmentedLog implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(SegmentedLog.class);

  private static final int ID_BYTES_MAX = 0xFFFF;
  private static final int REPLAY_THREADS = 2;
  private static final long CLOSE_SECONDS = 30;

  private final LogSettings settings;
  private final Closeable lock;
  private final LogFaults faults = new LogFaults();
  private final Segments segments = new Segments();
  private final Index index = new Index(segments);
  private final SpareSegments spares;
  private final WriteQueue queue;
  private final RecordReader reader;
  private final Committer committer;
  private final Thread committerThread;
  private final ScheduledExecutorService maintenance;
  private final ExecutorService replays;

  /**
   * Opens the log in a directory, which is created if it is missing.
   *
   * @throws LogException.Locked if it is open elsewhere
   * @throws LogException.Damaged if anything but an unfinished end is not as it was written
   * @throws LogException.NewerFormat if a newer program wrote it
   * @throws LogException.DiskFull if it is new and there is no room for its first segment
   * @throws LogException.Unusable if the directory cannot be read or written
   */
  public static SegmentedLog open(LogSettings settings) {
    return open(settings, new DiskFiles(settings.directory()), new SecureRandom()::nextLong);
  }

  static SegmentedLog open(LogSettings settings, LogFiles files, LongSupplier salts) {
    try {
      var lock = files.lock();
      try {
        return new SegmentedLog(settings, files, salts, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LogException.Unusable(
          "cannot open the log in %s: %s".formatted(settings.directory(), e), e);
    }
  }

  private SegmentedLog(LogSettings settings, LogFiles files, LongSupplier salts, Closeable lock)
      throws IOException {
    this.settings = settings;
    this.lock = lock;
    this.spares = new SpareSegments(files, settings, faults, salts);
    this.queue = new WriteQueue(settings.queueBytes());
    this.reader = new RecordReader(files, segments);
    var recovery = new Recovery(files, segments, spares, index);
    var end = recover(recovery);
    this.maintenance = maintenanceThread();
    this.replays = Executors.newFixedThreadPool(REPLAY_THREADS, threads("partita-log-replay"));
    var compactor =
        new Compactor(settings, segments, spares, index, reader, this::append, maintenance);
    this.committer = new Committer(
        settings,
        queue,
        segments,
        spares,
        index,
        faults,
        end,
        recovery.reclaimedThrough(),
        compactor);
    this.committerThread = threads("partita-log-committer").newThread(committer);
    committerThread.start();
    compactor.replenish();
    compactor.poke();
  }

  private SegmentScanner.End recover(Recovery recovery) throws IOException {
    try {
      return recovery.run();
    } catch (IOException | RuntimeException e) {
      closeFiles();
      throw e;
    }
  }

  /**
   * Writes, durably. The completion is told on the committer thread; or, if the write is refused at
   * once because the log is closed, overloaded, or can never hold it, on the calling thread.
   */
  public void append(Write write, Completion completion) {
    long bytes = Write.OVERHEAD_BYTES;
    LogException refusal = null;
    for (LogRecord record : write.records()) {
      if (record.kind != Format.RECLAIM) {
        record.history = index.of(record.persistenceId);
      }
      if (record.idBytes().length > ID_BYTES_MAX) {
        refusal = new LogException.TooLarge("a persistence id has %d bytes, the limit is %d"
            .formatted(record.idBytes().length, ID_BYTES_MAX));
      }
      bytes += record.encodedBytes();
    }
    if (bytes > settings.largestWriteBytes()) {
      refusal = new LogException.TooLarge(
          "a write of %d bytes does not fit into a log segment, which holds %d"
              .formatted(bytes, settings.largestWriteBytes()));
    }
    write.sized(bytes, completion);
    if (refusal == null) {
      refusal = queue.offer(write);
    }
    if (refusal != null) {
      completion.completed(refusal);
    }
  }

  /**
   * The highest sequence number ever written for a persistence id, 0 if there is none; all writes
   * that were submitted before are taken into account.
   */
  public CompletionStage<Long> highestSequenceNr(String persistenceId) {
    var highest = new CompletableFuture<Long>();
    append(
        new Write(), // with no records, it comes back when all before it are durable
        failure -> {
          if (failure == null) {
            var history = index.find(persistenceId);
            highest.complete(history == null ? 0 : history.highest());
          } else {
            highest.completeExceptionally(failure);
          }
        });
    return highest;
  }

  /**
   * Hands the durable events of a persistence id that are not deleted to a consumer.
   *
   * @param from the first sequence number, inclusive
   * @param to the last sequence number, inclusive
   * @param max how many events at most
   * @return completes after the last event; fails with {@link LogException.Damaged}, with what the
   *     consumer threw, or with an {@link IOException}
   */
  public CompletionStage<Void> replay(
      String persistenceId, long from, long to, long max, EventConsumer consumer) {
    var stopped = queue.closedBecause();
    if (stopped != null) {
      return CompletableFuture.failedFuture(stopped);
    }
    var history = index.find(persistenceId);
    if (history == null) {
      return CompletableFuture.completedFuture(null);
    }
    return new Replay(
            history, reader, from, to, max, settings.replayChunkBytes(), consumer, replays)
        .start();
  }

  /** The most that one write may have; see {@link Write#sizeBytesMax}. */
  public int largestWriteBytes() {
    return settings.largestWriteBytes();
  }

  public LogSettings settings() {
    return settings;
  }

  public LogStats stats() {
    return committer.stats();
  }

  public LogFaults faults() {
    return faults;
  }

  /** Finishes what was submitted, refuses everything else, and gives the directory free. */
  @Override
  public void close() {
    queue.close(
        new LogException.Stopped("the log in %s is closed".formatted(settings.directory()), null));
    maintenance.shutdown();
    replays.shutdown();
    try {
      committerThread.join();
      if (!maintenance.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
          || !replays.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        log.warn("The log in {} is closed under a reader", settings.directory());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeFiles();
    unlock();
  }

  private void unlock() {
    try {
      lock.close();
    } catch (IOException e) {
      log.warn("The lock of the log in {} could not be released", settings.directory(), e);
    }
  }

  private void closeFiles() {
    try {
      for (Segment segment : segments.all()) {
        segment.file.close();
      }
      spares.close();
    } catch (IOException e) {
      log.warn("A file of the log in {} could not be closed", settings.directory(), e);
    }
  }

  private static ScheduledExecutorService maintenanceThread() {
    var executor = new ScheduledThreadPoolExecutor(1, threads("partita-log-maintenance"));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  private static ThreadFactory threads(String name) {
    return task -> {
      var thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
