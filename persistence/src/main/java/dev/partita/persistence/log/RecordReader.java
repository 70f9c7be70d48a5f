package dev.partita.persistence.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Reads single events back, checked against their checksum and against what the index expects. */
final class RecordReader {
  private final LogFiles files;
  private final Segments segments;

  RecordReader(LogFiles files, Segments segments) {
    this.files = files;
    this.segments = segments;
  }

  /**
   * The body of an event of a page, or null if its segment was given to another use meanwhile: the
   * event is then elsewhere, or deleted.
   */
  @Nullable
  ByteBuffer body(History history, History.Page page, int at) throws IOException {
    var segment = segments.get(page.segment(at));
    if (segment == null) {
      return null;
    }
    var record = ByteBuffer.allocate(page.length(at));
    try {
      segment.file.read(record, page.offset(at));
    } catch (ClosedChannelException e) {
      if (!segment.retired.get()) {
        throw e;
      }
    }
    if (segment.retired.get()) {
      return null;
    }
    if (record.hasRemaining() || !isExpected(record, history, page.sequenceNr(at))) {
      throw new LogException.Damaged(
          files.path(segment.name),
          page.offset(at),
          "event %d of %s is unreadable".formatted(page.sequenceNr(at), history.persistenceId));
    }
    int header = Format.RECORD_HEADER_BYTES + history.idBytes.length;
    return record.slice(header, record.capacity() - header);
  }

  private static boolean isExpected(ByteBuffer record, History history, long sequenceNr) {
    int idBytes = Short.toUnsignedInt(record.getShort(10));
    return record.getInt(0) == record.capacity()
        && record.getInt(4) == crc(record)
        && record.getLong(12) == sequenceNr
        && record
            .slice(Format.RECORD_HEADER_BYTES, idBytes)
            .equals(ByteBuffer.wrap(history.idBytes));
  }

  private static int crc(ByteBuffer record) {
    return Format.crc(record, 8, record.capacity() - 8);
  }
}
