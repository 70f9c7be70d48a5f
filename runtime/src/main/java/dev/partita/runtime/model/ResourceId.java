package dev.partita.runtime.model;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A RID: the name that the system gives to a resource, beside the one that its owner gave it (protocol
 * section 4). Its bytes name the whole way to the resource:
 *
 * <ul>
 *   <li>a database has 4 bytes, not all zero;
 *   <li>a container has 8: its database's and 4 of its own with the highest bit set;
 *   <li>a child of a container has 16: the container's and 8 of its own, which are a little-endian number:
 *       40 bits of counter, 16 bits with the number of the partition key range that counted, and 8 bits that
 *       say what it is: {@code 00} for an item, {@code 50} for a partition key range.
 * </ul>
 *
 * Clients compare the numbers of items when they resume a sorted query. The text is base64 with a hyphen in
 * the place of each slash.
 */
public final class ResourceId {
  /** What a RID names. */
  public enum Kind {
    DATABASE,
    CONTAINER,
    ITEM,
    PARTITION_KEY_RANGE
  }

  /** Length of the text of an item's RID. */
  public static final int ITEM_TEXT_LENGTH = 24;

  /** A counter of items is below this. */
  public static final long ITEM_COUNTER_LIMIT = 1L << 40;

  private static final int DATABASE_BYTES = 4;
  private static final int CONTAINER_BYTES = 8;
  private static final int CHILD_BYTES = 16;
  private static final int RANGE_NUMBER_LIMIT = 1 << 16;
  private static final int CONTAINER_BIT = 0x80;
  private static final int ITEM_MARK = 0x00;
  private static final int RANGE_MARK = 0x50;
  private static final byte[] ALPHABET = Bytes.utf8(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-")
      .toArray();

  private final byte[] bytes;
  private final Kind kind;

  private ResourceId(byte[] bytes, Kind kind) {
    this.bytes = bytes;
    this.kind = kind;
  }

  /**
   * The text of a database's RID.
   *
   * @param number 1 or more and below 2^31, unique in the account
   */
  public static String database(long number) {
    byte[] bytes = new byte[DATABASE_BYTES];
    putNumber(bytes, 0, number);
    return text(bytes);
  }

  /**
   * The text of a container's RID.
   *
   * @param databaseRid text of its database's
   * @param number 1 or more and below 2^31, unique in the account: the Java client drops the part of the
   *     database when it remembers sessions
   */
  public static String container(String databaseRid, long number) {
    byte[] bytes = Arrays.copyOf(bytesOf(databaseRid, Kind.DATABASE), CONTAINER_BYTES);
    putNumber(bytes, DATABASE_BYTES, number);
    bytes[DATABASE_BYTES] |= (byte) CONTAINER_BIT;
    return text(bytes);
  }

  /**
   * The text of the RID of a partition key range.
   *
   * @param rangeId 0 or more
   */
  public static String partitionKeyRange(String containerRid, int rangeId) {
    return child(containerRid, rangeId + 1L, RANGE_MARK);
  }

  /**
   * The text of an item's RID.
   *
   * @param number from {@link #itemNumber}
   */
  public static String item(String containerRid, long number) {
    return child(containerRid, number, ITEM_MARK);
  }

  /**
   * The number that an item has in its container. It grows with the counter, and two ranges never make the
   * same.
   *
   * @param rangeId of the range that creates the item, 0 to 65,535
   * @param counter 0 or more, below {@link #ITEM_COUNTER_LIMIT}, never used twice by the range
   * @return 56 bits
   */
  public static long itemNumber(int rangeId, long counter) {
    if (rangeId < 0 || rangeId >= RANGE_NUMBER_LIMIT) {
      throw new IllegalArgumentException("no item RIDs for range number " + rangeId);
    }
    if (counter < 0 || counter >= ITEM_COUNTER_LIMIT) {
      throw new IllegalArgumentException("no item RID for counter " + counter);
    }
    return (long) rangeId << 40 | counter;
  }

  /** The bytes that {@link #writeItemText} wants of a container. */
  public static byte[] containerBytes(String containerRid) {
    return bytesOf(containerRid, Kind.CONTAINER);
  }

  /**
   * Writes the text of an item's RID, {@link #ITEM_TEXT_LENGTH} ASCII characters, into an array.
   *
   * @param container from {@link #containerBytes}
   * @param number from {@link #itemNumber}
   */
  public static void writeItemText(byte[] container, long number, byte[] out, int at) {
    int to = at;
    for (int i = 0; i < CHILD_BYTES; i += 3) {
      int group = octet(container, number, i) << 16
          | octet(container, number, i + 1) << 8
          | octet(container, number, i + 2);
      out[to++] = ALPHABET[group >>> 18];
      out[to++] = ALPHABET[group >>> 12 & 63];
      out[to++] = ALPHABET[group >>> 6 & 63];
      out[to++] = ALPHABET[group & 63];
    }
    out[to - 1] = '='; // sixteen bytes leave the last group with one
    out[to - 2] = '=';
  }

  private static int octet(byte[] container, long number, int index) {
    if (index < CONTAINER_BYTES) {
      return container[index] & 0xff;
    }
    return index < CHILD_BYTES ? (int) (number >>> (8 * (index - CONTAINER_BYTES))) & 0xff : 0;
  }

  /** Reads a text; empty when it is not exactly what one of our resources is called. */
  public static Optional<ResourceId> parse(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text.replace('-', '/'));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    // Base64 has several texts for some bytes, but a RID has one.
    return text(bytes).equals(text)
        ? kindOf(bytes).map(kind -> new ResourceId(bytes, kind))
        : Optional.empty();
  }

  private static Optional<Kind> kindOf(byte[] bytes) {
    if (bytes.length < DATABASE_BYTES
        || (bytes[0] | bytes[1] | bytes[2] | bytes[3]) == 0
        || (bytes.length > DATABASE_BYTES && (bytes[DATABASE_BYTES] & CONTAINER_BIT) == 0)) {
      return Optional.empty();
    }
    return switch (bytes.length) {
      case DATABASE_BYTES -> Optional.of(Kind.DATABASE);
      case CONTAINER_BYTES -> Optional.of(Kind.CONTAINER);
      case CHILD_BYTES ->
        switch (bytes[CHILD_BYTES - 1]) {
          case ITEM_MARK -> Optional.of(Kind.ITEM);
          case RANGE_MARK -> Optional.of(Kind.PARTITION_KEY_RANGE);
          default -> Optional.empty();
        };
      default -> Optional.empty();
    };
  }

  /**
   * Whether clients take a path segment for a database's RID. A database with such a name cannot be reached
   * by them, so it should not be created.
   */
  public static boolean looksLikeDatabase(String segment) {
    if (segment.length() != 8 || !segment.endsWith("==")) {
      return false;
    }
    for (int i = 0; i < 6; i++) {
      char c = segment.charAt(i);
      boolean letterOrDigit =
          (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && c != '+' && c != '/' && c != '-') {
        return false;
      }
    }
    return true;
  }

  public Kind kind() {
    return kind;
  }

  /** The text of the RID of the database that this is, or is in. */
  public String database() {
    return text(Arrays.copyOf(bytes, DATABASE_BYTES));
  }

  /** The text of the RID of the container that this is, or is in; empty for a database. */
  public Optional<String> container() {
    return kind == Kind.DATABASE
        ? Optional.empty()
        : Optional.of(text(Arrays.copyOf(bytes, CONTAINER_BYTES)));
  }

  /** The own number of an item or partition key range, 56 bits; 0 for anything else. */
  public long number() {
    long number = 0;
    for (int i = CHILD_BYTES - 2; bytes.length == CHILD_BYTES && i >= CONTAINER_BYTES; i--) {
      number = number << 8 | (bytes[i] & 0xff);
    }
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ResourceId rid && Arrays.equals(bytes, rid.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return text(bytes);
  }

  private static String child(String containerRid, long number, int mark) {
    byte[] bytes = Arrays.copyOf(bytesOf(containerRid, Kind.CONTAINER), CHILD_BYTES);
    for (int i = 0; i < Long.BYTES - 1; i++) {
      bytes[CONTAINER_BYTES + i] = (byte) (number >>> (8 * i));
    }
    bytes[CHILD_BYTES - 1] = (byte) mark;
    return text(bytes);
  }

  private static void putNumber(byte[] bytes, int at, long number) {
    if (number < 1 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("no RID for number " + number);
    }
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[at + i] = (byte) (number >>> (8 * (Integer.BYTES - 1 - i)));
    }
  }

  private static byte[] bytesOf(String text, Kind kind) {
    return parse(text)
        .filter(rid -> rid.kind == kind)
        .orElseThrow(() -> new IllegalArgumentException("no RID of a " + kind + ": " + text))
        .bytes;
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes).replace('/', '-');
  }
}
