package dev.partita.multijvm.workload;

import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates, replaces with etags and deletes items that no other writer touches, until its connection breaks. So it knows
 * what each of its items must be, up to the writes whose answers never came.
 */
public final class Writer {
  private static final int REPLICAS = 4;
  private static final int ITEMS_MAX = 60;
  private static final int KEYS = 7; // few logical partitions, so that writers meet in them

  private final String name;
  private final SplittableRandom random;
  private final LsnAudit audit;
  private final List<ItemHistory> items = new ArrayList<>();
  private final Set<ItemHistory> touched = new HashSet<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile Throwable failure;

  public Writer(String name, SplittableRandom random, LsnAudit audit) {
    this.name = name;
    this.random = random;
    this.audit = audit;
  }

  /** Writes acknowledged since the writer was made. Any thread may ask. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** What the writer found wrong; null if nothing. */
  public Throwable failure() {
    return failure;
  }

  /** Writes until the connection breaks or {@code stop} is set. */
  public void run(AccountClient client, String database, String container, AtomicBoolean stop) {
    var target = new Container(client, database, container);
    try {
      while (!stop.get()) {
        step(target);
      }
    } catch (IOException e) {
      // The node is gone; what was under way is uncertain.
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  private void step(Container target) throws IOException {
    if (items.size() < ITEMS_MAX && random.nextInt(4) == 0) {
      var id = name + "-" + items.size();
      items.add(new ItemHistory(id, "key-" + random.nextInt(KEYS)));
    }
    if (items.isEmpty()) {
      return;
    }
    var item = items.get(random.nextInt(items.size()));
    if (item.isUncertain()) {
      return; // until a read has settled it
    }
    touched.add(item);
    if (!item.exists()) {
      var version = item.next();
      attempt(item, Optional.of(version), 201, () -> target.create(item.key(), version.item()));
    } else if (random.nextInt(5) == 0) {
      attempt(item, Optional.empty(), 204, () -> target.delete(item.key(), item.id(), item.etag()));
    } else {
      var version = item.next();
      attempt(
          item,
          Optional.of(version),
          200,
          () -> target.replace(item.key(), item.id(), item.etag(), version.item()));
    }
  }

  /** A request. */
  private interface Attempt {
    Reply send() throws IOException;
  }

  private void attempt(ItemHistory item, Optional<Version> state, int done, Attempt request)
      throws IOException {
    Reply reply;
    try {
      reply = request.send();
    } catch (IOException e) {
      unknown(item, state);
      throw e;
    }
    if (reply.status() == done) {
      var token = SessionToken.of(reply);
      item.acknowledge(state, reply.header("etag").orElse(""), token.lsn());
      audit.acknowledged(token);
      acknowledged.incrementAndGet();
    } else if (reply.status() == 408 || reply.status() == 503) {
      unknown(item, state);
    } else if (reply.status() != 429) {
      throw new AssertionError(item.id() + ", which only this writer writes: " + reply.error());
    }
  }

  private void unknown(ItemHistory item, Optional<Version> state) {
    item.maybe(state);
    audit.unknown();
  }

  /**
   * Reads items back and compares them with what they must be.
   *
   * @param all whether also those that were not touched since the last time
   * @return how many were compared
   */
  public int verify(AccountClient client, String database, String container, boolean all)
      throws IOException {
    var target = new Container(client, database, container);
    var some = all ? List.copyOf(items) : List.copyOf(touched);
    for (var item : some) {
      item.settle(stored(target.read(item.key(), item.id())));
      for (int replica = 1; replica < REPLICAS; replica++) { // they take turns
        var again =
            stored(target.read(item.key(), item.id(), "x-ms-consistency-level", "Eventual"));
        if (!again.equals(item.state())) {
          throw new AssertionError(
              "replicas differ: " + item.id() + " is " + again + " and " + item.state());
        }
      }
    }
    touched.clear();
    return some.size();
  }

  private static Optional<Stored> stored(Reply reply) {
    Container.expect(reply, 200, 404);
    return reply.status() == 404
        ? Optional.empty()
        : Optional.of(new Stored(Version.of(reply.json()), reply.header("etag").orElse("")));
  }

  /** How many items there are, by what is known. */
  public long existing() {
    return items.stream().filter(ItemHistory::exists).count();
  }
}
