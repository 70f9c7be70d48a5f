package dev.partita.persistence.engine;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Flushes on one thread of its own. Whoever asks while a flush runs shares the next one. */
final class Flusher {
  private final Runnable flush;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
    var flusher = new Thread(task, "partita-store-flush");
    flusher.setDaemon(true);
    return flusher;
  });

  private @Nullable CompletableFuture<Void> next; // asked for and not begun
  private boolean closed;

  Flusher(Runnable flush) {
    this.flush = flush;
  }

  synchronized CompletionStage<Void> request() {
    if (closed) {
      return CompletableFuture.failedFuture(new StoreClosedException("the item store"));
    }
    if (next == null) {
      next = new CompletableFuture<>();
      thread.execute(this::run);
    }
    return next.minimalCompletionStage();
  }

  /** Begins no further flush; those asked for are still made, unless the store closes first. */
  synchronized void close() {
    closed = true;
    thread.shutdown();
  }

  private void run() {
    CompletableFuture<Void> current = take();
    try {
      flush.run();
      current.complete(null);
    } catch (RuntimeException | Error e) {
      current.completeExceptionally(e);
    }
  }

  private synchronized CompletableFuture<Void> take() {
    CompletableFuture<Void> current = Objects.requireNonNull(next);
    next = null;
    return current;
  }
}
