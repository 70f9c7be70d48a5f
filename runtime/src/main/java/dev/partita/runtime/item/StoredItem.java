package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An item as it lies in the item store. Layout, numbers big-endian: a format byte, LSN (8), seconds (8),
 * item number (8), length of the etag (1), the etag, and the document to the end.
 *
 * @param lsn of the entry that wrote it
 * @param etag with its quotes, ASCII, at most 127 characters
 * @param timestampSeconds of that write, seconds since 1970
 * @param number its own part of the RID ({@link dev.partita.runtime.model.ResourceId#itemNumber})
 * @param document the whole item with its system properties, UTF-8 JSON
 */
public record StoredItem(Lsn lsn, String etag, long timestampSeconds, long number, Bytes document) {
  private static final byte FORMAT = 1;
  private static final int LSN_AT = 1;
  private static final int TIMESTAMP_AT = LSN_AT + Long.BYTES;
  private static final int NUMBER_AT = TIMESTAMP_AT + Long.BYTES;
  private static final int ETAG_LENGTH_AT = NUMBER_AT + Long.BYTES;
  private static final int ETAG_AT = ETAG_LENGTH_AT + 1;

  /** What a {@link ItemMutation.Kind#PUT} leaves in the store when its entry is applied. */
  public static StoredItem of(Lsn lsn, ItemMutation put) {
    return new StoredItem(lsn, put.etag(), put.timestampSeconds(), put.number(), put.document());
  }

  /**
   * Reads what {@link #encode} wrote. The document is a slice of the same array.
   *
   * @throws IllegalArgumentException if these are other bytes
   */
  public static StoredItem decode(Bytes stored) {
    int documentAt = documentAt(stored);
    ByteBuffer in = stored.toByteBuffer();
    return new StoredItem(
        new Lsn(in.getLong(LSN_AT)),
        etag(stored),
        in.getLong(TIMESTAMP_AT),
        in.getLong(NUMBER_AT),
        Bytes.wrap(stored.array(), stored.offset() + documentAt, stored.length() - documentAt));
  }

  /** Only the etag of a stored item. */
  public static String etag(Bytes stored) {
    int length = documentAt(stored) - ETAG_AT;
    return new String(
        stored.array(), stored.offset() + ETAG_AT, length, StandardCharsets.ISO_8859_1);
  }

  private static int documentAt(Bytes stored) {
    if (stored.length() < ETAG_AT || stored.at(0) != FORMAT) {
      throw new IllegalArgumentException("no stored item: " + stored);
    }
    int documentAt = ETAG_AT + stored.at(ETAG_LENGTH_AT);
    if (documentAt < ETAG_AT || documentAt > stored.length()) {
      throw new IllegalArgumentException("a stored item with a damaged etag: " + stored);
    }
    return documentAt;
  }

  /** The bytes for the store, in an array of their own. */
  public byte[] encode() {
    byte[] tag = etag.getBytes(StandardCharsets.ISO_8859_1);
    if (tag.length > Byte.MAX_VALUE) {
      throw new IllegalArgumentException("an etag of " + tag.length + " characters");
    }
    return ByteBuffer.allocate(ETAG_AT + tag.length + document.length())
        .put(FORMAT)
        .putLong(lsn.value())
        .putLong(timestampSeconds)
        .putLong(number)
        .put((byte) tag.length)
        .put(tag)
        .put(document.array(), document.offset(), document.length())
        .array();
  }
}
