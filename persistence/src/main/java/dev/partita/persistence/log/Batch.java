package dev.partita.persistence.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The bytes of one flush, built in a buffer that is used again and again. */
final class Batch {
  private final CRC32C crc = new CRC32C();
  private final Format.Digest digest = new Format.Digest();
  private ByteBuffer buffer;
  private int[] checksums = new int[64];
  private int count;

  Batch(int capacity) {
    buffer = ByteBuffer.allocateDirect(capacity + Format.BATCH_OVERHEAD_BYTES);
  }

  /** Starts anew, with room for at least this many bytes of records. */
  void begin(long recordBytes) {
    int needed = Math.toIntExact(recordBytes) + Format.BATCH_OVERHEAD_BYTES;
    if (buffer.capacity() < needed) {
      buffer = ByteBuffer.allocateDirect(needed);
    }
    buffer.clear().position(Format.BATCH_HEADER_BYTES);
    count = 0;
  }

  void add(LogRecord record) {
    if (count == checksums.length) {
      checksums = Arrays.copyOf(checksums, count * 2);
    }
    checksums[count++] = record.encode(buffer, crc);
  }

  int count() {
    return count;
  }

  /** Length once finished. */
  int length() {
    return Format.aligned(buffer.position()) + Format.TRAILER_BYTES;
  }

  /** Adds header and trailer; the result is to be written to an aligned place. */
  ByteBuffer finish(long salt, long number) {
    int length = length();
    while (buffer.position() < length - Format.TRAILER_BYTES) {
      buffer.put((byte) 0);
    }
    Format.putBatchHeader(buffer, 0, salt, number, length, count);
    digest.reset();
    digest.add(Format.batchCrc(buffer, 0));
    for (int i = 0; i < count; i++) {
      digest.add(checksums[i]);
    }
    return buffer.putInt(digest.value()).putInt((int) number).flip();
  }
}
