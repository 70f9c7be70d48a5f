package dev.partita.persistence.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Format version 1 of a segment file, big endian.
 *
 * <pre>
 * segment  header (64 bytes, padded with zeros to 4096), then batches, each at a multiple of 8
 * header   magic 8 | version 4 | segment bytes 4 | segment number 8 | first batch 8
 *          | reclaimed through 8 | salt 8 | CRC32C of all that 4
 * batch    salt 8 | batch number 8 | length 4 | record count 4 | CRC32C of all that 4 | zero 4
 *          then the records, zeros up to a multiple of 8, and the trailer:
 *          digest 4 (CRC32C of the header's CRC and of the CRC of each record) | batch number, lower half 4
 * record   length 4 | CRC32C of what follows 4 | kind 1 | flags 1 | persistence id bytes 2
 *          | sequence number 8 | persistence id (UTF-8) | body
 * </pre>
 *
 * <p>Batches are numbered 1, 2, 3 over the whole log. The salt is drawn anew each time a file becomes
 * a segment, so bytes of its former life, or a payload that looks like a batch, are never taken for
 * one. A batch without records is a marker: it is written after a sync when nothing else waits, and
 * proves, as every later batch does, that the batch before it was durable. So a bad batch with
 * something after it is damage, and a bad batch with nothing after it was never acknowledged.
 */
final class Format {
  static final int VERSION = 1;
  static final int ALIGNMENT = 8;
  static final int SEGMENT_HEADER_BYTES = 4096;
  static final int BATCH_HEADER_BYTES = 32;
  static final int TRAILER_BYTES = 8;
  static final int BATCH_OVERHEAD_BYTES = BATCH_HEADER_BYTES + TRAILER_BYTES + ALIGNMENT;
  static final int MARKER_BYTES = BATCH_HEADER_BYTES + TRAILER_BYTES;
  static final int RECORD_HEADER_BYTES = 20;

  /** An event; its body is the caller's. */
  static final byte EVENT = 1;

  /** Events up to the sequence number are deleted; body: the highest sequence number. */
  static final byte DELETE = 2;

  /** The highest sequence number, repeated because its proof is about to go; body: deleted to. */
  static final byte STATE = 3;

  /** All segments up to the number in the place of the sequence number may be gone. */
  static final byte RECLAIM = 4;

  /** On an event: all earlier events of its persistence id are deleted by it. */
  static final byte REPLACES_HISTORY = 1;

  private static final long MAGIC = 0x50415254_4c4f470aL; // "PARTLOG\n"
  private static final int SEGMENT_CRC_AT = 48;
  private static final int BATCH_CRC_AT = 24;

  private Format() {}

  /**
   * What a segment says of itself.
   *
   * @param number segments are numbered 1, 2, 3 in the order of their use
   * @param firstBatch number of the first batch in it
   * @param reclaimedThrough segments up to this number may be gone
   * @param salt marks the batches of this use of the file; never 0
   */
  record SegmentHeader(int bytes, int number, long firstBatch, int reclaimedThrough, long salt) {}

  static ByteBuffer encode(SegmentHeader header) {
    var buffer = ByteBuffer.allocate(SEGMENT_HEADER_BYTES)
        .putLong(MAGIC)
        .putInt(VERSION)
        .putInt(header.bytes())
        .putLong(header.number())
        .putLong(header.firstBatch())
        .putLong(header.reclaimedThrough())
        .putLong(header.salt());
    buffer.putInt(crc(buffer, 0, SEGMENT_CRC_AT));
    return buffer.clear();
  }

  /** Reads the header of the named file out of its first bytes. */
  static SegmentHeader decodeSegmentHeader(ByteBuffer buffer, String path) {
    if (buffer.limit() < SEGMENT_HEADER_BYTES || buffer.getLong(0) != MAGIC) {
      throw new LogException.Damaged(path, 0, "not a log segment");
    }
    int version = buffer.getInt(8);
    if (version > VERSION) {
      throw new LogException.NewerFormat(
          "%s has log format %d, this program reads up to %d: start the newer program that wrote it"
              .formatted(path, version, VERSION));
    }
    if (buffer.getInt(SEGMENT_CRC_AT) != crc(buffer, 0, SEGMENT_CRC_AT)) {
      throw new LogException.Damaged(path, 0, "the segment header does not match its checksum");
    }
    return new SegmentHeader(
        buffer.getInt(12),
        Math.toIntExact(buffer.getLong(16)),
        buffer.getLong(24),
        Math.toIntExact(buffer.getLong(32)),
        buffer.getLong(40));
  }

  static void putBatchHeader(
      ByteBuffer buffer, int at, long salt, long batch, int length, int count) {
    buffer.putLong(at, salt).putLong(at + 8, batch).putInt(at + 16, length).putInt(at + 20, count);
    buffer.putInt(at + BATCH_CRC_AT, crc(buffer, at, BATCH_CRC_AT)).putInt(at + 28, 0);
  }

  /** Whether a batch header of this segment stands at an index of the buffer, whole. */
  static boolean isBatchHeader(ByteBuffer buffer, int at, long salt) {
    return buffer.limit() - at >= BATCH_HEADER_BYTES
        && buffer.getLong(at) == salt
        && buffer.getInt(at + BATCH_CRC_AT) == crc(buffer, at, BATCH_CRC_AT);
  }

  static long batchNumber(ByteBuffer buffer, int at) {
    return buffer.getLong(at + 8);
  }

  /** Bytes of the whole batch, header and trailer included. */
  static int batchLength(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 16);
  }

  static int batchCount(ByteBuffer buffer, int at) {
    return buffer.getInt(at + 20);
  }

  static int batchCrc(ByteBuffer buffer, int at) {
    return buffer.getInt(at + BATCH_CRC_AT);
  }

  static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  static int crc(ByteBuffer buffer, int from, int length) {
    var crc = new CRC32C();
    crc.update(buffer.slice(from, length));
    return (int) crc.getValue();
  }

  /** The running checksum over checksums that closes a batch. */
  static final class Digest {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES);

    void reset() {
      crc.reset();
    }

    void add(int value) {
      word.putInt(0, value);
      crc.update(word.array(), 0, Integer.BYTES);
    }

    int value() {
      return (int) crc.getValue();
    }
  }
}
