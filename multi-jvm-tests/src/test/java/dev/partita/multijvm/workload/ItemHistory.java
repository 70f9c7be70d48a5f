package dev.partita.multijvm.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one writer knows of one item: the last state that was acknowledged, and states that a write with an unknown outcome
 * may have left since. One thread at a time.
 */
final class ItemHistory {
  private final String id;
  private final String key;
  private Optional<Version> acknowledged = Optional.empty();
  private String etag = "";
  private long lsn;
  private final List<Optional<Version>> possible = new ArrayList<>();
  private long nextNumber = 1;

  ItemHistory(String id, String key) {
    this.id = id;
    this.key = key;
  }

  String id() {
    return id;
  }

  String key() {
    return key;
  }

  /** Whether the last acknowledged state is an item, not nothing. */
  boolean exists() {
    return acknowledged.isPresent();
  }

  /** Whether a write with an unknown outcome stands between what is known and what is. */
  boolean isUncertain() {
    return !possible.isEmpty();
  }

  String etag() {
    return etag;
  }

  /** A version never sent before. */
  Version next() {
    return new Version(id, key, nextNumber++);
  }

  /**
   * A write was acknowledged.
   *
   * @param state what it left; empty for a delete
   */
  void acknowledge(Optional<Version> state, String newEtag, long newLsn) {
    if (newLsn <= lsn) {
      throw new AssertionError(
          id + ": a later write has LSN " + newLsn + ", an earlier one had " + lsn);
    }
    acknowledged = state;
    etag = newEtag;
    lsn = newLsn;
  }

  /** A write may or may not have happened. */
  void maybe(Optional<Version> state) {
    possible.add(state);
  }

  /**
   * Compares what the node has with what it may have, and goes on from there.
   *
   * @param found what the node has; empty for nothing
   * @throws AssertionError if the node lost an acknowledged write, or has something that nobody wrote
   */
  void settle(Optional<Stored> found) {
    var version = found.map(Stored::version);
    boolean asAcknowledged = version.equals(acknowledged);
    if (!asAcknowledged && !possible.contains(version)) {
      throw new AssertionError(id + " is " + version + "; acknowledged was " + acknowledged
          + " and possible " + possible);
    }
    var foundEtag = found.map(Stored::etag).orElse("");
    if (asAcknowledged && found.isPresent() && !etag.equals(foundEtag)) {
      throw new AssertionError(id + " has etag " + foundEtag + ", acknowledged was " + etag);
    }
    acknowledged = version;
    etag = foundEtag;
    possible.clear();
  }

  /** What is known to be stored. */
  Optional<Stored> state() {
    return acknowledged.map(version -> new Stored(version, etag));
  }
}
