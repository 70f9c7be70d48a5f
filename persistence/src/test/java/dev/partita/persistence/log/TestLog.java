package dev.partita.persistence.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A log whose events are texts, and whose operations wait and throw. */
record TestLog(SegmentedLog log) implements AutoCloseable {

  static TestLog open(LogSettings settings) {
    return new TestLog(SegmentedLog.open(settings));
  }

  static TestLog open(LogSettings settings, Random salts) {
    return new TestLog(
        SegmentedLog.open(settings, new DiskFiles(settings.directory()), salts::nextLong));
  }

  static TestLog open(LogSettings settings, SimulatedDisk disk, Random salts) {
    return new TestLog(SegmentedLog.open(settings, disk, salts::nextLong));
  }

  void write(String persistenceId, long sequenceNr, String text) {
    await(writeAsync(persistenceId, sequenceNr, text));
  }

  CompletableFuture<Void> writeAsync(String persistenceId, long sequenceNr, String text) {
    return appendAsync(new Write().event(persistenceId, sequenceNr, text.getBytes(UTF_8)));
  }

  void replace(String persistenceId, long sequenceNr, String text) {
    append(new Write().eventReplacingHistory(persistenceId, sequenceNr, text.getBytes(UTF_8)));
  }

  void delete(String persistenceId, long toSequenceNr) {
    append(new Write().deleteTo(persistenceId, toSequenceNr));
  }

  void append(Write write) {
    await(appendAsync(write));
  }

  CompletableFuture<Void> appendAsync(Write write) {
    var done = new CompletableFuture<Void>();
    log.append(write, failure -> {
      if (failure == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(failure);
      }
    });
    return done;
  }

  List<String> replay(String persistenceId) {
    return replay(persistenceId, 1, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  List<String> replay(String persistenceId, long from, long to, long max) {
    var events = new ArrayList<String>();
    await(log.replay(
        persistenceId,
        from,
        to,
        max,
        (sequenceNr, body) -> events.add(UTF_8.decode(body).toString())));
    return events;
  }

  long highest(String persistenceId) {
    return await(log.highestSequenceNr(persistenceId));
  }

  @Override
  public void close() {
    log.close();
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
