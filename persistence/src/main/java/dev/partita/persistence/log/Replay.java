package dev.partita.persistence.log;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** One replay, a page at a time, so that many replays share few threads. */
final class Replay implements Runnable {
  private static final int PAGE_EVENTS = 128;

  private final History history;
  private final RecordReader reader;
  private final long to;
  private final EventConsumer consumer;
  private final Executor executor;
  private final History.Page page;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long from;
  private long left;

  Replay(
      History history,
      RecordReader reader,
      long from,
      long to,
      long max,
      int pageBytes,
      EventConsumer consumer,
      Executor executor) {
    this.history = history;
    this.reader = reader;
    this.from = from;
    this.to = to;
    this.left = max;
    this.page = new History.Page(PAGE_EVENTS, pageBytes);
    this.consumer = consumer;
    this.executor = executor;
  }

  CompletableFuture<Void> start() {
    resume();
    return done;
  }

  @Override
  public void run() {
    try {
      history.find(from, to, page);
      if (left <= 0 || page.size() == 0) {
        done.complete(null);
        return;
      }
      replayPage();
      resume();
    } catch (IOException | RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  private void replayPage() throws IOException {
    for (int at = 0; at < page.size() && left > 0; at++) {
      long sequenceNr = page.sequenceNr(at);
      var body = reader.body(history, page, at);
      if (body == null) {
        return; // look it up again from here: its segment was reclaimed
      }
      from = sequenceNr + 1;
      left--;
      consumer.accept(sequenceNr, body);
    }
  }

  private void resume() {
    try {
      executor.execute(this);
    } catch (RejectedExecutionException closed) {
      done.completeExceptionally(new LogException.Stopped("the log is closed", closed));
    }
  }
}
