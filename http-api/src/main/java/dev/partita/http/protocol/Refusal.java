package dev.partita.http.protocol;

import java.time.Duration;
import java.util.Optional;

/**
 * The answer to a request that goes no further: a code and a sentence for the person who sent it. It is thrown by
 * the parsers of this package, whose depth makes a result type at every level noise, and caught in one place, the
 * router. It carries no stack trace, since it is part of ordinary traffic.
 */
public final class Refusal extends RuntimeException {
  private final ErrorCode code;
  private final Optional<Duration> retryAfter;

  public Refusal(ErrorCode code, String message) {
    this(code, message, Optional.empty());
  }

  private Refusal(ErrorCode code, String message, Optional<Duration> retryAfter) {
    super(message, null, false, false);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** A 400. */
  public static Refusal bad(String message) {
    return new Refusal(ErrorCode.BAD_REQUEST, message);
  }

  /** A 429 with the wait that the client should keep. */
  public static Refusal tooMany(String message, Duration retryAfter) {
    return new Refusal(ErrorCode.TOO_MANY_REQUESTS, message, Optional.of(retryAfter));
  }

  public ErrorCode code() {
    return code;
  }

  /** The sentence for the client. */
  public String text() {
    return String.valueOf(getMessage());
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
