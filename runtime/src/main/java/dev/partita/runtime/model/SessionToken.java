package dev.partita.runtime.model;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a session has seen: per partition key range the highest LSN.
 *
 * @param seen range id to LSN
 */
public record SessionToken(SortedMap<Integer, Lsn> seen) {
  public SessionToken {
    seen = new TreeMap<>(seen);
  }
}
