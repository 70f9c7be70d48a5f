package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ResourceId;
import java.nio.charset.StandardCharsets;

/**
 * Makes the documents of one container: the user's JSON object with the system properties as its last
 * members (protocol section 4). Copies bytes, and does not parse them.
 */
public final class ItemDocument {
  private static final byte[] RID = ascii("\"_rid\":\"");
  private static final byte[] ETAG = ascii("/\",\"_etag\":\"");
  private static final byte[] TIMESTAMP = ascii("\",\"_attachments\":\"attachments/\",\"_ts\":");

  private final byte[] container;
  private final byte[] self;

  /**
   * @param databaseRid base64 of 4 bytes
   * @param containerRid base64 of 8 bytes
   */
  public ItemDocument(String databaseRid, String containerRid) {
    container = ResourceId.containerBytes(containerRid);
    self = ascii("\",\"_self\":\"dbs/" + databaseRid + "/colls/" + containerRid + "/docs/");
  }

  /**
   * The document to store and to answer with.
   *
   * @param body a JSON object as UTF-8, checked, without system properties and without blanks around it
   * @param number the item's own part of its RID
   * @param etag ASCII, with its quotes
   * @param timestampSeconds 0 or more, seconds since 1970
   */
  public Bytes render(Bytes body, long number, String etag, long timestampSeconds) {
    int bodyEnd = lastMemberEnd(body);
    boolean empty = body.at(bodyEnd - 1) == '{';
    int timestampDigits = digits(timestampSeconds);
    int length = bodyEnd
        + (empty ? 0 : 1)
        + RID.length
        + ResourceId.ITEM_TEXT_LENGTH
        + self.length
        + ResourceId.ITEM_TEXT_LENGTH
        + ETAG.length
        + escapedLength(etag)
        + TIMESTAMP.length
        + timestampDigits
        + 1;
    byte[] out = new byte[length];
    System.arraycopy(body.array(), body.offset(), out, 0, bodyEnd);
    int at = bodyEnd;
    if (!empty) {
      out[at++] = ',';
    }
    at = put(RID, out, at);
    ResourceId.writeItemText(container, number, out, at);
    int ridAt = at;
    at = put(self, out, at + ResourceId.ITEM_TEXT_LENGTH);
    System.arraycopy(out, ridAt, out, at, ResourceId.ITEM_TEXT_LENGTH);
    at = put(ETAG, out, at + ResourceId.ITEM_TEXT_LENGTH);
    at = putEscaped(etag, out, at);
    at = put(TIMESTAMP, out, at);
    putDecimal(timestampSeconds, out, at + timestampDigits);
    out[length - 1] = '}';
    return Bytes.wrap(out);
  }

  /** Just after the last member, or after the opening brace of an object without any. */
  private static int lastMemberEnd(Bytes body) {
    int end = body.length() - 1;
    if (end < 1 || body.at(0) != '{' || body.at(end) != '}') {
      throw new IllegalArgumentException("no JSON object: " + body);
    }
    while (isBlank(body.at(end - 1))) {
      end--;
    }
    return end;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private static int put(byte[] text, byte[] out, int at) {
    System.arraycopy(text, 0, out, at, text.length);
    return at + text.length;
  }

  private static int escapedLength(String etag) {
    int length = etag.length();
    for (int i = 0; i < etag.length(); i++) {
      if (etag.charAt(i) == '"') {
        length++;
      }
    }
    return length;
  }

  private static int putEscaped(String etag, byte[] out, int from) {
    int at = from;
    for (int i = 0; i < etag.length(); i++) {
      char c = etag.charAt(i);
      if (c == '"') {
        out[at++] = '\\';
      }
      out[at++] = (byte) c;
    }
    return at;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private static void putDecimal(long value, byte[] out, int end) {
    int at = end;
    long rest = value;
    do {
      out[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
