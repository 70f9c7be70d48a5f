package dev.partita.persistence.log;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All histories by persistence id, and the one place where durable records change them. */
final class Index {
  private final ConcurrentHashMap<String, History> histories = new ConcurrentHashMap<>();
  private final Segments segments;

  Index(Segments segments) {
    this.segments = segments;
  }

  @Nullable
  History find(String persistenceId) {
    return histories.get(persistenceId);
  }

  History of(String persistenceId) {
    return histories.computeIfAbsent(persistenceId, History::new);
  }

  Collection<History> all() {
    return histories.values();
  }

  int count() {
    return histories.size();
  }

  /**
   * Applies a durable record; at run time and at recovery alike, in the order of the log.
   *
   * @param control the body of a record that is not an event
   */
  void apply(
      History history,
      byte kind,
      byte flags,
      long sequenceNr,
      long control,
      int segment,
      int offset,
      int length) {
    switch (kind) {
      case Format.EVENT -> {
        history.put(sequenceNr, segment, offset, length, segments);
        if ((flags & Format.REPLACES_HISTORY) != 0) {
          history.deleteTo(sequenceNr - 1, segments);
        }
      }
      case Format.DELETE -> {
        history.proveHighest(control, segment);
        history.deleteTo(sequenceNr, segments);
      }
      case Format.STATE -> {
        history.proveHighest(sequenceNr, segment);
        history.deleteTo(control, segments);
      }
      default -> throw new IllegalStateException("no history changes by a record of kind " + kind);
    }
  }
}
