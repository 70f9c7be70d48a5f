package dev.partita.http.route;

import dev.partita.runtime.api.ReadConsistency.Level;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What the routes may be told, each with its default in {@link #DEFAULTS}.
 *
 * @param accountLevel consistency of the account; a request may only weaken it
 * @param physicalPartitions start count for containers whose creator names none; empty leaves it to the runtime
 * @param requestsInFlightMax requests that wait for an answer; one more is refused with 429
 * @param bodyBytesInFlightMax sizes of their bodies together; more is refused with 429
 * @param bodyTimeout how long a client may take to send a body
 * @param retryAfter what a refused client is told to wait
 * @param pageItemsMax items of a page when the client leaves it to the server, and at most
 * @param pageBytesMax a page ends when it holds that many bytes
 * @param pageTime a page over many ranges ends after that long, with a continuation
 */
public record Settings(
    Level accountLevel,
    OptionalInt physicalPartitions,
    int requestsInFlightMax,
    long bodyBytesInFlightMax,
    Duration bodyTimeout,
    Duration retryAfter,
    int pageItemsMax,
    int pageBytesMax,
    Duration pageTime) {
  /** An item, or the whole body of a request: 2 MB of UTF-8. */
  public static final int BODY_BYTES_MAX = 2 * 1024 * 1024;

  /** Larger bodies are read and thrown away up to here, so that the client reads its 413; then it is cut off. */
  public static final long BODY_BYTES_DRAINED_MAX = 64L * 1024 * 1024;

  public static final Settings DEFAULTS = new Settings(
      Level.SESSION,
      OptionalInt.empty(),
      2_048,
      64L * 1024 * 1024,
      Duration.ofSeconds(30),
      Duration.ofMillis(50),
      1_000,
      3 * 1024 * 1024,
      Duration.ofSeconds(4));
}
