package dev.partita.http.cli.load;

import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.load.ItemParser.Bad;
import dev.partita.http.cli.load.ItemParser.Blank;
import dev.partita.http.cli.load.ItemParser.Item;
import dev.partita.http.cli.load.LineLedger.Position;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines with one thread and sends them with several. Memory is bounded by a queue of items. Two lines that are the
 * same item are never under way together, so the later line wins, as in the file.
 */
final class Loader {
  /** Told of every line that is not loaded; called by many threads. */
  interface Rejections {
    void rejected(long line, String why);
  }

  /** Counts so far. */
  record Counts(long created, long replaced, long rejected) {
    long loaded() {
      return created + replaced;
    }
  }

  private static final long LOOK_UP_MILLIS = 100;
  private static final Item END = new Item(0, "", "", new byte[0]);

  private final LineReader lines;
  private final ItemParser parser;
  private final Supplier<Upserts> connections;
  private final Rejections rejections;
  private final LineLedger ledger;
  private final Position start;
  private final int concurrency;
  private final BlockingQueue<Item> queue;
  private final Set<String> underWay = new HashSet<>(); // its own monitor
  private final LongAdder created = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private volatile @Nullable RuntimeException failure;

  Loader(
      LineReader lines,
      ItemParser parser,
      Supplier<Upserts> connections,
      int concurrency,
      Position start,
      Rejections rejections) {
    this.lines = lines;
    this.parser = parser;
    this.connections = connections;
    this.concurrency = concurrency;
    this.start = start;
    this.rejections = rejections;
    this.ledger = new LineLedger(start);
    this.queue = new ArrayBlockingQueue<>(concurrency);
  }

  Counts counts() {
    return new Counts(created.sum(), replaced.sum(), rejected.sum());
  }

  Position position() {
    return ledger.through();
  }

  /** @throws CommandFailure if the load was given up; {@link #position} is where the next one may go on */
  void run() throws IOException, InterruptedException {
    var workers = startWorkers();
    try {
      dispatchAll();
    } finally {
      for (int i = 0; i < concurrency && failure == null; i++) {
        offer(END);
      }
      for (var worker : workers) {
        worker.join();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private List<Thread> startWorkers() {
    var workers = new ArrayList<Thread>();
    for (int i = 0; i < concurrency; i++) {
      var upserts = connections.get();
      var worker = new Thread(() -> work(upserts), "load-" + i);
      worker.setDaemon(true);
      worker.start();
      workers.add(worker);
    }
    return workers;
  }

  private void dispatchAll() throws IOException, InterruptedException {
    for (var line = lines.next(); line != null && failure == null; line = lines.next()) {
      if (line.number() <= start.line()) {
        continue; // an earlier run has dealt with it
      }
      var parsed = parser.parse(line);
      ledger.begin(line.number());
      if (parsed instanceof Item item) {
        awaitTurn(item.identity());
        offer(item);
      } else if (parsed instanceof Bad bad) {
        reject(bad.line(), bad.why());
      } else if (parsed instanceof Blank blank) {
        ledger.loaded(blank.line());
      }
    }
  }

  private void awaitTurn(String identity) throws InterruptedException {
    synchronized (underWay) {
      while (!underWay.add(identity) && failure == null) {
        underWay.wait(LOOK_UP_MILLIS);
      }
    }
  }

  private void offer(Item item) throws InterruptedException {
    boolean taken = false;
    while (!taken && failure == null) {
      taken = queue.offer(item, LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void work(Upserts upserts) {
    try {
      while (failure == null) {
        var item = queue.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
        if (item != null && item.line() == END.line()) {
          return;
        }
        if (item != null) {
          settle(item, upserts.send(item));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(new CommandFailure("interrupted", e));
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void settle(Item item, Upserts.Result result) {
    switch (result.outcome()) {
      case CREATED -> created.increment();
      case REPLACED -> replaced.increment();
      case REJECTED -> {}
    }
    synchronized (underWay) {
      underWay.remove(item.identity());
      underWay.notifyAll();
    }
    if (result.outcome() == Upserts.Outcome.REJECTED) {
      reject(item.line(), result.why());
    } else {
      ledger.loaded(item.line());
    }
  }

  private void reject(long line, String why) {
    rejected.increment();
    ledger.rejected(line);
    rejections.rejected(line, why);
  }

  private synchronized void fail(RuntimeException e) {
    if (failure == null) { // the first one is the reason
      failure = e;
    }
  }
}
