package dev.partita.runtime.api;

import dev.partita.runtime.model.Bytes;
import java.time.Duration;

/** How an operation on one item ended. */
public sealed interface ItemAnswer {
  /** What a successful operation did. */
  enum Outcome {
    CREATED,
    REPLACED,
    DELETED,
    READ
  }

  /**
   * Success.
   *
   * @param document the whole stored item with its system properties as UTF-8 JSON; empty for a deletion.
   *     Shared: not to be changed.
   */
  record Done(Outcome outcome, Bytes document, String etag, Served served) implements ItemAnswer {}

  /** The item has the etag that the reader already holds. */
  record NotModified(String etag, Served served) implements ItemAnswer {}

  /** No such item. */
  record NotFound(Served served) implements ItemAnswer {}

  /** An item of that id exists. */
  record Conflict(Served served) implements ItemAnswer {}

  /** The stored item has another etag. */
  record PreconditionFailed(Served served) implements ItemAnswer {}

  /** No replica has reached the session token in time. */
  record SessionNotReached(Served served) implements ItemAnswer {}

  /** The container was deleted, perhaps re-created: look it up again. */
  record ContainerGone() implements ItemAnswer {}

  /** Nothing was done: the partition is over its budget, or its queue is full. */
  record TooManyRequests(Duration retryAfter, String message) implements ItemAnswer {}

  /** Nothing was done; {@code message} says why. */
  record Unavailable(String message) implements ItemAnswer {}

  /** The write may have happened or not; {@code message} says why. */
  record OutcomeUnknown(String message) implements ItemAnswer {}
}
