package dev.partita.persistence.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One record on its way to disk. Written by the committer only, once it is submitted. */
final class LogRecord {
  private static final byte[][] NO_BODY = {};
  private static final byte[] NO_ID = {};

  final byte kind;
  final byte flags;
  final String persistenceId;
  final byte[][] body;
  final int bodyBytes;

  /** For a copy: where the original is, or -1 for a record that is new. */
  final int originalSegment;

  final int originalOffset;

  /** The persistence id's history; null for a record that belongs to none. */
  @Nullable
  History history;

  long sequenceNr;

  /** The body of a record that is not an event; settled at encoding. */
  long control;

  /** Index into the batch, and length there; 0 as long as the record is not in the batch. */
  int offset;

  int length;

  private LogRecord(
      byte kind,
      byte flags,
      String persistenceId,
      long sequenceNr,
      byte[][] body,
      int bodyBytes,
      int originalSegment,
      int originalOffset) {
    this.kind = kind;
    this.flags = flags;
    this.persistenceId = persistenceId;
    this.sequenceNr = sequenceNr;
    this.body = body;
    this.bodyBytes = bodyBytes;
    this.originalSegment = originalSegment;
    this.originalOffset = originalOffset;
  }

  static LogRecord event(String persistenceId, long sequenceNr, byte flags, byte[][] body) {
    int bytes = 0;
    for (byte[] part : body) {
      bytes = Math.addExact(bytes, part.length);
    }
    return new LogRecord(Format.EVENT, flags, persistenceId, sequenceNr, body, bytes, -1, -1);
  }

  /** A live event that leaves a segment; what it replaced is gone by then. */
  static LogRecord copy(
      String persistenceId, long sequenceNr, byte[] body, int segment, int offset) {
    byte[][] parts = {body};
    return new LogRecord(
        Format.EVENT, (byte) 0, persistenceId, sequenceNr, parts, body.length, segment, offset);
  }

  static LogRecord delete(String persistenceId, long toSequenceNr) {
    return control(Format.DELETE, persistenceId, toSequenceNr, Long.BYTES);
  }

  static LogRecord state(String persistenceId) {
    return control(Format.STATE, persistenceId, 0, Long.BYTES);
  }

  static LogRecord reclaim(int throughSegment) {
    return control(Format.RECLAIM, "", throughSegment, 0);
  }

  private static LogRecord control(
      byte kind, String persistenceId, long sequenceNr, int bodyBytes) {
    return new LogRecord(kind, (byte) 0, persistenceId, sequenceNr, NO_BODY, bodyBytes, -1, -1);
  }

  boolean isNewEvent() {
    return kind == Format.EVENT && originalSegment < 0;
  }

  boolean replacesHistory() {
    return (flags & Format.REPLACES_HISTORY) != 0;
  }

  byte[] idBytes() {
    return history == null ? NO_ID : history.idBytes;
  }

  int encodedBytes() {
    return Format.RECORD_HEADER_BYTES + idBytes().length + bodyBytes;
  }

  /** Appends this record to a batch, and returns its checksum. */
  int encode(ByteBuffer batch, CRC32C crc) {
    byte[] id = idBytes();
    offset = batch.position();
    length = Format.RECORD_HEADER_BYTES + id.length + bodyBytes;
    batch.putInt(length).putInt(0).put(kind).put(flags).putShort((short) id.length);
    batch.putLong(sequenceNr).put(id);
    if (kind == Format.EVENT) {
      for (byte[] part : body) {
        batch.put(part);
      }
    } else if (bodyBytes > 0) {
      batch.putLong(control);
    }
    crc.reset();
    crc.update(batch.slice(offset + 2 * Integer.BYTES, length - 2 * Integer.BYTES));
    int value = (int) crc.getValue();
    batch.putInt(offset + Integer.BYTES, value);
    return value;
  }
}
