package dev.partita.persistence.log;

import dev.partita.persistence.log.LogFiles.LogFile;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A segment in use, and how much of it is still needed. */
final class Segment {
  final Format.SegmentHeader header;
  final String name;
  final LogFile file;

  /** Events in it that can still be replayed, and their bytes. */
  final AtomicInteger liveEvents = new AtomicInteger();

  final AtomicLong liveBytes = new AtomicLong();

  /** Set before the file is put to another use: what a reader got from it then counts no more. */
  final AtomicBoolean retired = new AtomicBoolean();

  Segment(Format.SegmentHeader header, String name, LogFile file) {
    this.header = header;
    this.name = name;
    this.file = file;
  }

  int number() {
    return header.number();
  }

  void added(int length) {
    liveEvents.incrementAndGet();
    liveBytes.addAndGet(length);
  }

  void removed(int length) {
    liveEvents.decrementAndGet();
    liveBytes.addAndGet(-length);
  }
}
