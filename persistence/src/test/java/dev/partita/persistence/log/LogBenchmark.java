package dev.partita.persistence.log;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/**
 * The log alone, in a closed loop: records per second and process CPU per record. Arguments:
 * directory, bytes of a record, persistence ids, writes in flight, seconds.
 */
final class LogBenchmark {
  private LogBenchmark() {}

  public static void main(String[] args) throws InterruptedException {
    var directory = Path.of(args[0]);
    int bytes = Integer.parseInt(args[1]);
    int ids = Integer.parseInt(args[2]);
    int inFlight = Integer.parseInt(args[3]);
    int seconds = Integer.parseInt(args[4]);
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var body = new byte[bytes];
    var names = new String[ids];
    var next = new long[ids];
    for (int i = 0; i < ids; i++) {
      names[i] = "physical-partition-" + i + "/replica";
    }
    try (var log = SegmentedLog.open(LogSettings.in(directory))) {
      for (int i = 0; i < ids; i++) {
        next[i] = log.highestSequenceNr(names[i]).toCompletableFuture().join() + 1;
      }
      for (int round = 0; round < 3; round++) {
        run(log, system, body, names, next, inFlight, seconds);
      }
    }
  }

  private static void run(
      SegmentedLog log,
      OperatingSystemMXBean system,
      byte[] body,
      String[] names,
      long[] next,
      int inFlight,
      int seconds)
      throws InterruptedException {
    var permits = new Semaphore(inFlight);
    var before = log.stats();
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    for (int i = 0;
        System.nanoTime() - start < seconds * 1_000_000_000L;
        i = (i + 1) % names.length) {
      permits.acquire();
      var write = new Write();
      if (next[i] % 100 == 0) {
        write.eventReplacingHistory(names[i], next[i]++, body);
      } else {
        write.event(names[i], next[i]++, body);
      }
      log.append(write, failure -> {
        if (failure != null) {
          throw failure;
        }
        permits.release();
      });
    }
    permits.acquire(inFlight);
    double elapsed = (System.nanoTime() - start) / 1e9;
    long records = log.stats().records() - before.records();
    long batches = log.stats().batches() - before.batches();
    System.out.printf(
        "%d B, %d in flight: %.0f records/s, %.0f MB/s, %.1f us CPU a record, %.1f records a flush; %s%n",
        body.length,
        inFlight,
        records / elapsed,
        (log.stats().writtenBytes() - before.writtenBytes()) / elapsed / 1e6,
        (system.getProcessCpuTime() - cpu) / 1e3 / records,
        (double) records / batches,
        log.stats());
  }
}
