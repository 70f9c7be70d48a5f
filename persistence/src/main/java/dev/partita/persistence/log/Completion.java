package dev.partita.persistence.log;

import org.jspecify.annotations.Nullable;

/** Told once about the end of a write, in the order in which the writes were submitted. */
@FunctionalInterface
public interface Completion {

  /**
   * Runs on the committer thread, which serves everybody: it may hand the news on, and no more.
   *
   * @param failure null if the write is durable; otherwise why nothing of it was written, or, for
   *     {@link LogException.Stopped}, why its fate is unknown until the log is opened again
   */
  void completed(@Nullable LogException failure);
}
