package dev.partita.http.cli.load;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Watches a load from a thread of its own: shows its progress and keeps its checkpoint, also on Ctrl-C. */
final class LoadMonitor implements Closeable {
  private static final long TERMINAL_MILLIS = 250;
  private static final long PLAIN_MILLIS = 5_000;
  private static final long CHECKPOINT_MILLIS = 1_000;

  private final Loader loader;
  private final LineReader lines;
  private final long bytesAll;
  private final ProgressDisplay display;
  private final @Nullable Checkpoint checkpoint;
  private final long start = System.nanoTime();
  private final Thread onExit = new Thread(this::save, "keep-checkpoint");
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "load-monitor");
        thread.setDaemon(true);
        return thread;
      });
  private boolean completed;
  private boolean warned;

  private LoadMonitor(
      Loader loader,
      LineReader lines,
      long bytesAll,
      ProgressDisplay display,
      @Nullable Checkpoint checkpoint) {
    this.loader = loader;
    this.lines = lines;
    this.bytesAll = bytesAll;
    this.display = display;
    this.checkpoint = checkpoint;
  }

  static LoadMonitor start(
      Loader loader,
      LineReader lines,
      long bytesAll,
      ProgressDisplay display,
      @Nullable Checkpoint checkpoint) {
    var monitor = new LoadMonitor(loader, lines, bytesAll, display, checkpoint);
    long period = display.isTerminal() ? TERMINAL_MILLIS : PLAIN_MILLIS;
    var unused =
        monitor.timer.scheduleAtFixedRate(monitor::show, period, period, TimeUnit.MILLISECONDS);
    var unused2 = monitor.timer.scheduleAtFixedRate(
        monitor::save, CHECKPOINT_MILLIS, CHECKPOINT_MILLIS, TimeUnit.MILLISECONDS);
    Runtime.getRuntime().addShutdownHook(monitor.onExit);
    return monitor;
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** The whole file is loaded: the next run of it begins at its first line. */
  synchronized void completed() throws IOException {
    completed = true;
    if (checkpoint != null) {
      checkpoint.delete();
    }
  }

  private void show() {
    display.progress(ProgressLine.of(lines.bytesRead(), bytesAll, loader.counts(), elapsed()));
  }

  private synchronized void save() {
    if (checkpoint == null || completed) {
      return;
    }
    try {
      checkpoint.write(loader.position());
    } catch (IOException e) {
      warnOnce(
          "no checkpoint could be kept (" + e.getMessage() + "): an interrupted load begins again");
    }
  }

  private void warnOnce(String warning) {
    if (!warned) {
      warned = true;
      display.note(warning);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    save();
    display.done();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // The process is ending and the hook runs anyway.
    }
  }
}
