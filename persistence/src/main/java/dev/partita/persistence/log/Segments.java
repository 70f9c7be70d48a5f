package dev.partita.persistence.log;

import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The segments in use, oldest first, without a gap in their numbers. */
final class Segments {
  private final ConcurrentSkipListMap<Integer, Segment> byNumber = new ConcurrentSkipListMap<>();

  @Nullable
  Segment get(int number) {
    return byNumber.get(number);
  }

  void add(Segment segment) {
    byNumber.put(segment.number(), segment);
  }

  /** From here on nobody finds the segment; who has it already sees that it is retired. */
  void retire(Segment segment) {
    byNumber.remove(segment.number());
    segment.retired.set(true);
  }

  Segment oldest() {
    return byNumber.firstEntry().getValue();
  }

  Segment active() {
    return byNumber.lastEntry().getValue();
  }

  int count() {
    return byNumber.size();
  }

  Collection<Segment> all() {
    return byNumber.values();
  }

  long totalBytes() {
    return byNumber.values().stream()
        .mapToLong(segment -> segment.header.bytes())
        .sum();
  }

  long liveBytes() {
    return byNumber.values().stream()
        .mapToLong(segment -> segment.liveBytes.get())
        .sum();
  }

  void eventAdded(int number, int length) {
    existing(number).added(length);
  }

  void eventRemoved(int number, int length) {
    existing(number).removed(length);
  }

  private Segment existing(int number) {
    var segment = byNumber.get(number);
    if (segment == null) {
      throw new IllegalStateException(
          "an event is indexed in segment " + number + ", which is gone");
    }
    return segment;
  }
}
