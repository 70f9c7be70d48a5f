package dev.partita.runtime.api;

import dev.partita.runtime.model.Bytes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How reading a page ended. */
public sealed interface PageAnswer {
  /**
   * A page, perhaps empty.
   *
   * @param documents whole items with system properties, UTF-8 JSON; shared, not to be changed
   * @param next where to go on; null after the last item
   */
  record Page(List<Bytes> documents, PageRead.@Nullable Position next, Served served)
      implements PageAnswer {}

  /** No replica has reached the session token in time. */
  record SessionNotReached(Served served) implements PageAnswer {}

  /** The container was deleted, perhaps re-created: look it up again. */
  record ContainerGone() implements PageAnswer {}

  /** Nothing was done: the partition is over its budget. */
  record TooManyRequests(Duration retryAfter, String message) implements PageAnswer {}

  /** Nothing was read; {@code message} says why. */
  record Unavailable(String message) implements PageAnswer {}
}
