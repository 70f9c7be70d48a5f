package dev.partita.runtime.api;

import dev.partita.runtime.model.SessionToken;
import org.jspecify.annotations.Nullable;

/**
 * How fresh a read must be.
 *
 * @param level one of the five levels
 * @param token what the session has seen, for {@link Level#SESSION}; null for nothing
 */
public record ReadConsistency(Level level, @Nullable SessionToken token) {
  /** From the freshest to the loosest. */
  public enum Level {
    STRONG,
    BOUNDED_STALENESS,
    SESSION,
    CONSISTENT_PREFIX,
    EVENTUAL
  }
}
