package dev.partita.persistence.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The index of one persistence id: where each of its live events is. Changed by the committer (by
 * recovery before that), read by replays; 20 bytes an event.
 */
final class History {
  private static final long[] NO_NUMBERS = {};
  private static final int[] NO_PLACES = {};
  private static final int PLACE = 3;

  final String persistenceId;
  final byte[] idBytes;

  /** The highest sequence number, including the open batch; the committer's own. */
  long pendingHighest;

  private long highest;
  private long deletedTo;

  /** The segment of the newest record from which the highest sequence number can be told. */
  private int provenIn;

  /** Live events are at [first, end), ascending; a place is segment, offset, length. */
  private long[] numbers = NO_NUMBERS;

  private int[] places = NO_PLACES;
  private int first;
  private int end;

  History(String persistenceId) {
    this.persistenceId = persistenceId;
    this.idBytes = persistenceId.getBytes(StandardCharsets.UTF_8);
  }

  synchronized long highest() {
    return highest;
  }

  synchronized long deletedTo() {
    return deletedTo;
  }

  synchronized boolean isProvenOnlyIn(int segment) {
    return provenIn == segment;
  }

  /** Takes note of an event, new or copied. */
  synchronized void put(long sequenceNr, int segment, int offset, int length, Segments segments) {
    proveHighest(sequenceNr, segment);
    if (sequenceNr <= deletedTo) {
      return; // a copy made in the very batch that deleted it
    }
    int at = end == first || sequenceNr > numbers[end - 1] ? end : search(sequenceNr);
    if (at < end && numbers[at] == sequenceNr) {
      segments.eventRemoved(places[at * PLACE], places[at * PLACE + 2]);
    } else {
      at = makeRoom(at);
      numbers[at] = sequenceNr;
    }
    places[at * PLACE] = segment;
    places[at * PLACE + 1] = offset;
    places[at * PLACE + 2] = length;
    segments.eventAdded(segment, length);
  }

  synchronized void deleteTo(long sequenceNr, Segments segments) {
    deletedTo = Math.max(deletedTo, sequenceNr);
    while (first < end && numbers[first] <= sequenceNr) {
      segments.eventRemoved(places[first * PLACE], places[first * PLACE + 2]);
      first++;
    }
    if (first == end) {
      numbers = NO_NUMBERS;
      places = NO_PLACES;
      first = 0;
      end = 0;
    } else if (end - first < numbers.length / 4) {
      resize(end - first);
    }
  }

  synchronized void proveHighest(long sequenceNr, int segment) {
    if (sequenceNr >= highest) {
      highest = sequenceNr;
      provenIn = segment;
      pendingHighest = Math.max(pendingHighest, highest);
    }
  }

  /** Whether the live event with this number is at this very place. */
  synchronized boolean isAt(long sequenceNr, int segment, int offset) {
    int at = search(sequenceNr);
    return at < end
        && numbers[at] == sequenceNr
        && places[at * PLACE] == segment
        && places[at * PLACE + 1] == offset;
  }

  /** Replaces the content of a page by the next live events from a sequence number on. */
  synchronized void find(long from, long to, Page page) {
    page.clear();
    for (int at = search(from); at < end && numbers[at] <= to; at++) {
      if (!page.add(numbers[at], places, at * PLACE)) {
        return;
      }
    }
  }

  /** Replaces the content of a page by the first live events in one segment; true if there are more. */
  synchronized boolean findIn(int segment, Page page) {
    page.clear();
    for (int at = first; at < end; at++) {
      if (places[at * PLACE] == segment && !page.add(numbers[at], places, at * PLACE)) {
        return true;
      }
    }
    return false;
  }

  private int search(long sequenceNr) {
    int at = Arrays.binarySearch(numbers, first, end, sequenceNr);
    return at < 0 ? -at - 1 : at;
  }

  /** Opens a gap before an index, which is near the end but for copies, and returns where it is. */
  private int makeRoom(int before) {
    int at = before;
    if (end == numbers.length) {
      at -= first;
      resize(Math.max(4, (end - first) + ((end - first) >> 1) + 1));
    }
    System.arraycopy(numbers, at, numbers, at + 1, end - at);
    System.arraycopy(places, at * PLACE, places, (at + 1) * PLACE, (end - at) * PLACE);
    end++;
    return at;
  }

  private void resize(int capacity) {
    var newNumbers = new long[capacity];
    var newPlaces = new int[capacity * PLACE];
    System.arraycopy(numbers, first, newNumbers, 0, end - first);
    System.arraycopy(places, first * PLACE, newPlaces, 0, (end - first) * PLACE);
    numbers = newNumbers;
    places = newPlaces;
    end -= first;
    first = 0;
  }

  /** Some events and their places, copied out of the index so that reading needs no lock. */
  static final class Page {
    private final long[] numbers;
    private final int[] places;
    private final int bytesMax;
    private int size;
    private int bytes;

    Page(int eventsMax, int bytesMax) {
      this.numbers = new long[eventsMax];
      this.places = new int[eventsMax * PLACE];
      this.bytesMax = bytesMax;
    }

    private void clear() {
      size = 0;
      bytes = 0;
    }

    private boolean add(long number, int[] from, int at) {
      if (size == numbers.length || (size > 0 && bytes + from[at + 2] > bytesMax)) {
        return false;
      }
      numbers[size] = number;
      System.arraycopy(from, at, places, size * PLACE, PLACE);
      bytes += from[at + 2];
      size++;
      return true;
    }

    int size() {
      return size;
    }

    int bytes() {
      return bytes;
    }

    long sequenceNr(int at) {
      return numbers[at];
    }

    int segment(int at) {
      return places[at * PLACE];
    }

    int offset(int at) {
      return places[at * PLACE + 1];
    }

    int length(int at) {
      return places[at * PLACE + 2];
    }
  }
}
