package dev.partita.persistence.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes durable all together or not at all: events and deletions, in the order in which they
 * were added, of one or several persistence ids. Built by one thread, appended once, never reused.
 */
public final class Write {
  /** What a write costs in the queue beside its records, in bytes. */
  static final int OVERHEAD_BYTES = 64;

  private static final int UTF8_BYTES_MAX = 3;

  private final List<LogRecord> records = new ArrayList<>(1);
  private long sizeBytesMax = OVERHEAD_BYTES;
  private long sizeBytes;
  private @Nullable Completion completion;
  private @Nullable LogException failure;

  /**
   * Adds an event.
   *
   * @param sequenceNr above the highest one of the persistence id; gaps are allowed
   * @param body the event's bytes, in pieces that the log puts together; not to be changed later
   */
  public Write event(String persistenceId, long sequenceNr, byte[]... body) {
    return add(LogRecord.event(persistenceId, positive(sequenceNr), (byte) 0, body));
  }

  /** Adds an event that deletes all earlier events of its persistence id, atomically with itself. */
  public Write eventReplacingHistory(String persistenceId, long sequenceNr, byte[]... body) {
    return add(LogRecord.event(persistenceId, positive(sequenceNr), Format.REPLACES_HISTORY, body));
  }

  /**
   * Adds the deletion of all events up to a sequence number, or up to the highest one if that is
   * lower. The highest sequence number itself is kept for ever.
   */
  public Write deleteTo(String persistenceId, long toSequenceNr) {
    return add(LogRecord.delete(persistenceId, toSequenceNr));
  }

  /** Adds all of another write, which is of no use then. */
  public Write addAll(Write other) {
    records.addAll(other.records);
    sizeBytesMax += other.sizeBytesMax;
    return this;
  }

  /** Never less than what this write is counted as, in bytes. */
  public long sizeBytesMax() {
    return sizeBytesMax;
  }

  Write add(LogRecord record) {
    records.add(record);
    sizeBytesMax += Format.RECORD_HEADER_BYTES
        + record.bodyBytes
        + (long) UTF8_BYTES_MAX * record.persistenceId.length();
    return this;
  }

  List<LogRecord> records() {
    return records;
  }

  /** Whether this write needs room for more than it helps to free. */
  boolean grows() {
    for (LogRecord record : records) {
      if (record.isNewEvent() && !record.replacesHistory()) {
        return true;
      }
    }
    return false;
  }

  /** Sets the bytes that this write needs in a batch; known once its histories are. */
  void sized(long bytes, Completion whenDone) {
    sizeBytes = bytes;
    completion = whenDone;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  void fail(LogException reason) {
    failure = reason;
  }

  boolean failed() {
    return failure != null;
  }

  void complete() {
    if (completion != null) {
      completion.completed(failure);
    }
  }

  private static long positive(long sequenceNr) {
    if (sequenceNr < 1) {
      throw new IllegalArgumentException("sequence numbers start at 1, not " + sequenceNr);
    }
    return sequenceNr;
  }
}
