package dev.partita.http.cli.load;

import java.util.TreeSet;

/**
 * Which lines are dealt with. Lines begin in order and end in any order; {@link #through} is the line up to which nothing
 * is open, and so where another run may go on. Safe for many threads.
 */
final class LineLedger {
  /**
   * Where a load stands.
   *
   * @param line every line up to this one has been dealt with
   * @param rejected how many of those were not loaded
   */
  record Position(long line, long rejected) {}

  private final TreeSet<Long> open = new TreeSet<>();
  private final TreeSet<Long> rejectedAhead =
      new TreeSet<>(); // beyond the position; bounded like open
  private long rejected;
  private long begun;

  LineLedger(Position start) {
    begun = start.line();
    rejected = start.rejected();
  }

  synchronized void begin(long line) {
    open.add(line);
    begun = line;
  }

  synchronized void loaded(long line) {
    open.remove(line);
  }

  synchronized void rejected(long line) {
    open.remove(line);
    rejectedAhead.add(line);
  }

  synchronized Position through() {
    long line = open.isEmpty() ? begun : open.first() - 1;
    var settled = rejectedAhead.headSet(line, true);
    rejected += settled.size();
    settled.clear();
    return new Position(line, rejected);
  }
}
