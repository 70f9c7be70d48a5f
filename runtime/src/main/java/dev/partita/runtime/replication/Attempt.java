package dev.partita.runtime.replication;

import dev.partita.runtime.model.Uid;

/**
 * One attempt to become primary (L1).
 *
 * @param uid fresh from a secure random source for every attempt
 * @param jitter at least 0 and below 1, random; spreads the pause after this attempt
 * @param handover the primary before is known to have stopped, so nobody stands back for it (L2)
 */
public record Attempt(Uid uid, double jitter, boolean handover) {
  public Attempt {
    if (!(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException("a jitter of " + jitter);
    }
  }
}
