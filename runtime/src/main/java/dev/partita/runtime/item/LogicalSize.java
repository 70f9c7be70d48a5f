package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;
import java.nio.ByteBuffer;

/**
 * How much a logical partition holds, kept beside its items. Stored as one format byte and two big-endian
 * numbers.
 *
 * @param items 0 or more
 * @param bytes 0 or more: the documents of the items, whole, together
 */
public record LogicalSize(long items, long bytes) {
  public static final LogicalSize EMPTY = new LogicalSize(0, 0);

  private static final byte FORMAT = 1;
  private static final int LENGTH = 1 + 2 * Long.BYTES;

  public LogicalSize {
    if (items < 0 || bytes < 0) {
      throw new IllegalArgumentException(items + " items of " + bytes + " bytes");
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static LogicalSize decode(Bytes stored) {
    if (stored.length() != LENGTH || stored.at(0) != FORMAT) {
      throw new IllegalArgumentException("no size record: " + stored);
    }
    ByteBuffer in = stored.toByteBuffer();
    return new LogicalSize(in.getLong(1), in.getLong(1 + Long.BYTES));
  }

  public byte[] encode() {
    return ByteBuffer.allocate(LENGTH).put(FORMAT).putLong(items).putLong(bytes).array();
  }

  /** The size after a change. */
  public LogicalSize plus(SizeDelta delta) {
    return new LogicalSize(items + delta.items(), bytes + delta.bytes());
  }
}
