package dev.partita.persistence.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the batches of a segment in order, and tells a torn end from damage. */
final class SegmentScanner {
  private static final int WINDOW_BYTES = 1 << 20;

  private final LogFiles files;
  private final Visitor visitor;
  private final Format.Digest digest = new Format.Digest();
  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowAt;

  /** Receives the records of whole batches, in order. */
  interface Visitor {

    /**
     * Called once per record.
     *
     * @param control the body of a record that is not an event, if it has one
     * @param offset of the record in its segment
     */
    void record(
        Segment segment,
        byte kind,
        byte flags,
        String persistenceId,
        long sequenceNr,
        long control,
        int offset,
        int length);
  }

  /** Where the whole batches of a segment end, and the number that the next batch has. */
  record End(int offset, long nextBatch) {}

  SegmentScanner(LogFiles files, Visitor visitor) {
    this.files = files;
    this.visitor = visitor;
  }

  /** Reads up to the first batch that is not whole; markers are passed over, but not counted. */
  End scan(Segment segment) throws IOException {
    window.limit(0);
    int at = Format.SEGMENT_HEADER_BYTES;
    long expected = segment.header.firstBatch();
    while (true) {
      int length = wholeBatch(segment, at, expected);
      if (length == 0) {
        return new End(at, expected);
      }
      int start = (int) (at - windowAt);
      if (Format.batchCount(window, start) == 0) {
        return new End(at, expected); // the next batch overwrites a marker
      }
      visitRecords(segment, start, at);
      at += length;
      expected++;
    }
  }

  /**
   * Refuses a segment in which anything was written after the place where its whole batches end: the
   * batch that should be there was then durable once.
   */
  void requireNothingAfter(Segment segment, End end) throws IOException {
    long salt = segment.header.salt();
    window.limit(0);
    for (int at = end.offset; at < segment.header.bytes(); at += Format.ALIGNMENT) {
      if (!load(segment, at, Format.ALIGNMENT)) {
        return;
      }
      int start = (int) (at - windowAt);
      if (window.getLong(start) == salt
          && load(segment, at, Format.BATCH_HEADER_BYTES)
          && Format.isBatchHeader(window, (int) (at - windowAt), salt)
          && Format.batchNumber(window, (int) (at - windowAt)) > end.nextBatch) {
        throw damaged(
            segment, end.offset, "batch " + end.nextBatch + " was written here and is unreadable");
      }
    }
  }

  LogException.Damaged damaged(Segment segment, long offset, String what) {
    return new LogException.Damaged(files.path(segment.name), offset, what);
  }

  /** The length of the batch at an offset if it is whole and the expected one, else 0. */
  private int wholeBatch(Segment segment, int at, long expected) throws IOException {
    long salt = segment.header.salt();
    if (!load(segment, at, Format.BATCH_HEADER_BYTES)) {
      return 0;
    }
    int start = (int) (at - windowAt);
    if (!Format.isBatchHeader(window, start, salt)
        || Format.batchNumber(window, start) != expected) {
      return 0;
    }
    int length = Format.batchLength(window, start);
    int crc = Format.batchCrc(window, start);
    int count = Format.batchCount(window, start);
    if (length < Format.MARKER_BYTES || !load(segment, at, length)) {
      return 0;
    }
    return recordsAreWhole((int) (at - windowAt), length, count, crc, expected) ? length : 0;
  }

  private boolean recordsAreWhole(int start, int length, int count, int headerCrc, long number) {
    digest.reset();
    digest.add(headerCrc);
    int trailer = start + length - Format.TRAILER_BYTES;
    int at = start + Format.BATCH_HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      int left = trailer - at;
      int recordLength = left < Format.RECORD_HEADER_BYTES ? -1 : window.getInt(at);
      if (recordLength < Format.RECORD_HEADER_BYTES || recordLength > left) {
        return false;
      }
      int crc = window.getInt(at + 4);
      if (crc != Format.crc(window, at + 8, recordLength - 8)) {
        return false;
      }
      digest.add(crc);
      at += recordLength;
    }
    return window.getInt(trailer) == digest.value() && window.getInt(trailer + 4) == (int) number;
  }

  private void visitRecords(Segment segment, int start, int offset) {
    int at = start + Format.BATCH_HEADER_BYTES;
    for (int i = Format.batchCount(window, start); i > 0; i--) {
      int length = window.getInt(at);
      byte kind = window.get(at + 8);
      int idBytes = Short.toUnsignedInt(window.getShort(at + 10));
      int body = at + Format.RECORD_HEADER_BYTES + idBytes;
      int bodyBytes = length - Format.RECORD_HEADER_BYTES - idBytes;
      int recordOffset = offset + (at - start);
      if (kind < Format.EVENT || kind > Format.RECLAIM || bodyBytes < 0) {
        throw damaged(segment, recordOffset, "a record of unknown kind " + kind);
      }
      visitor.record(
          segment,
          kind,
          window.get(at + 9),
          new String(
              window.array(), at + Format.RECORD_HEADER_BYTES, idBytes, StandardCharsets.UTF_8),
          window.getLong(at + 12),
          kind == Format.EVENT || bodyBytes < Long.BYTES ? 0 : window.getLong(body),
          recordOffset,
          length);
      at += length;
    }
  }

  /** Makes the window hold some bytes of the segment; false if the segment ends before them. */
  private boolean load(Segment segment, int at, int length) throws IOException {
    if ((long) at + length > segment.header.bytes()) {
      return false;
    }
    if (at >= windowAt && at + length <= windowAt + window.limit()) {
      return true;
    }
    if (window.capacity() < length) {
      window = ByteBuffer.allocate(length);
    }
    window.clear().limit((int) Math.min(window.capacity(), segment.header.bytes() - (long) at));
    segment.file.read(window, at);
    window.flip();
    windowAt = at;
    return window.limit() >= length;
  }
}
