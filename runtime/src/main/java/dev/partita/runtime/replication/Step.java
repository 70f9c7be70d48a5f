package dev.partita.runtime.replication;

import java.util.List;

/**
 * What a primary wants done, in this order.
 *
 * @param actions possibly none
 */
public record Step(List<Action> actions) {
  public static final Step NONE = new Step(List.of());
}
