package dev.partita.http.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The path of a request: segments between slashes, percent-decoded as UTF-8. {@code +} is a plus. A final slash and
 * a query string are ignored.
 *
 * @param decoded the segments joined by slashes, neither leading nor trailing: what a client signs
 * @param segments decoded; none for the root
 */
public record RequestPath(String decoded, List<String> segments) {
  private static final int SEGMENTS_MAX = 16;

  public RequestPath {
    segments = List.copyOf(segments);
  }

  /**
   * Reads a request target in origin form, {@code /a/b?c}, or absolute form, {@code http://host/a/b}.
   *
   * @throws Refusal 400 when an escape is no hexadecimal pair or the bytes are no UTF-8
   */
  public static RequestPath parse(String target) {
    int start = target.startsWith("/") ? 0 : pathStart(target);
    int end = target.length();
    for (int i = start; i < end; i++) {
      char c = target.charAt(i);
      if (c == '?' || c == '#') {
        end = i;
      }
    }
    if (start < end) {
      start++;
    }
    if (end > start && target.charAt(end - 1) == '/') {
      end--;
    }
    if (start >= end) {
      return new RequestPath("", List.of());
    }
    return split(target.substring(start, end));
  }

  private static int pathStart(String target) {
    int authority = target.indexOf("://");
    int path = authority < 0 ? -1 : target.indexOf('/', authority + 3);
    return path < 0 ? target.length() : path;
  }

  private static RequestPath split(String path) {
    var segments = new String[SEGMENTS_MAX];
    int count = 0;
    int start = 0;
    boolean escaped = false;
    for (int i = 0; i <= path.length(); i++) {
      if (i == path.length() || path.charAt(i) == '/') {
        if (count == SEGMENTS_MAX) {
          throw Refusal.bad("The path has more than " + SEGMENTS_MAX + " segments.");
        }
        String raw = path.substring(start, i);
        String segment = decode(raw);
        escaped |= !segment.equals(raw);
        segments[count++] = segment;
        start = i + 1;
      }
    }
    var list = List.of(Arrays.copyOf(segments, count));
    return new RequestPath(escaped ? String.join("/", list) : path, list);
  }

  /** Decodes the percent-escapes of one segment, strictly. */
  static String decode(String raw) {
    if (raw.indexOf('%') < 0) {
      return raw;
    }
    byte[] in = raw.getBytes(StandardCharsets.UTF_8);
    var out = new byte[in.length];
    int length = 0;
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        out[length++] = in[i];
        continue;
      }
      int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
      int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw Refusal.bad("A '%' in the path is not followed by two hexadecimal digits.");
      }
      out[length++] = (byte) (high << 4 | low);
      i += 2;
    }
    if (Utf8.firstError(out, 0, length) >= 0) {
      throw Refusal.bad("The path is not percent-encoded UTF-8.");
    }
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }

  public int size() {
    return segments.size();
  }

  public String segment(int index) {
    return segments.get(index);
  }

  /** Encodes one name for a header that holds a path. */
  public static String encode(String name) {
    StringBuilder text = new StringBuilder(name.length() + 8);
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if (isUnreserved(c)) {
        text.append(c);
      } else {
        text.append('%')
            .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
            .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
      }
    }
    return text.toString();
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-_.~".indexOf(c) >= 0;
  }
}
