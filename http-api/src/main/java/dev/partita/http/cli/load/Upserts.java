package dev.partita.http.cli.load;

import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.client.Reply;
import dev.partita.http.cli.client.ResourceName;
import dev.partita.http.cli.load.ItemParser.Item;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends one item until its outcome is known. Throttling is waited out as long as the node says; a lost answer, a lost
 * connection and a node that is not ready are tried again with growing pauses, which an upsert makes harmless.
 */
final class Upserts {
  /** What became of an item. */
  enum Outcome {
    CREATED,
    REPLACED,
    REJECTED
  }

  /**
   * The outcome and, if the item was rejected, why.
   *
   * @param why empty unless rejected
   */
  record Result(Outcome outcome, String why) {}

  private static final Duration UNREACHABLE_MAX = Duration.ofSeconds(60);
  private static final Duration THROTTLED_MAX = Duration.ofMinutes(10);
  private static final long PAUSE_MILLIS_MIN = 20;
  private static final long PAUSE_MILLIS_MAX = 2_000;

  private final AccountClient client;
  private final ResourceName container;

  Upserts(AccountClient client, ResourceName container) {
    this.client = client;
    this.container = container;
  }

  /**
   * Sends an item.
   *
   * @throws CommandFailure if no other item would fare better
   */
  Result send(Item item) throws InterruptedException {
    long start = System.nanoTime();
    for (int attempt = 0; ; attempt++) {
      long pauseMillis = pauseMillis(attempt);
      try {
        var reply = client.post("docs", container, headers(item), item.body());
        switch (reply.status()) {
          case 200 -> {
            return new Result(Outcome.REPLACED, "");
          }
          case 201 -> {
            return new Result(Outcome.CREATED, "");
          }
          case 401, 403, 404 ->
            throw new CommandFailure("stopped at line " + item.line() + ": " + reply.error());
          case 429 -> {
            giveUpAfter(THROTTLED_MAX, start, item, reply.error());
            pauseMillis = retryAfterMillis(reply);
          }
          case 408, 449, 500, 503 -> giveUpAfter(UNREACHABLE_MAX, start, item, reply.error());
          default -> {
            return new Result(Outcome.REJECTED, reply.error());
          }
        }
      } catch (IOException e) {
        giveUpAfter(UNREACHABLE_MAX, start, item, String.valueOf(e.getMessage()));
      }
      Thread.sleep(pauseMillis);
    }
  }

  private static Map<String, String> headers(Item item) {
    return Map.of(
        "x-ms-documentdb-partitionkey", item.partitionKey(),
        "x-ms-documentdb-is-upsert", "true",
        "Prefer", "return=minimal");
  }

  private void giveUpAfter(Duration patience, long start, Item item, String why) {
    if (System.nanoTime() - start > patience.toNanos()) {
      throw new CommandFailure("line " + item.line() + " could not be sent to " + client.endpoint()
          + " for " + patience.toSeconds() + " s (" + why
          + "); run the same command again to go on from here");
    }
  }

  private static long retryAfterMillis(Reply reply) {
    try {
      return Math.max(1, Long.parseLong(reply.header("x-ms-retry-after-ms").orElse("100")));
    } catch (NumberFormatException e) {
      return 100;
    }
  }

  private static long pauseMillis(int attempt) {
    long cap = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS_MIN << Math.min(attempt, 10));
    return cap / 2 + ThreadLocalRandom.current().nextLong(cap / 2 + 1);
  }
}
