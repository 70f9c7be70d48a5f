package dev.partita.persistence.log;

import java.nio.ByteBuffer;

/** Receives replayed events, in ascending order of their sequence numbers. */
@FunctionalInterface
public interface EventConsumer {

  /**
   * Runs on a replay thread of the log. An exception ends the replay and becomes its outcome.
   *
   * @param body the event's bytes; the consumer's own from now on
   */
  void accept(long sequenceNr, ByteBuffer body);
}
