package dev.partita.http.cli.client;

import java.nio.charset.StandardCharsets;

/** How names appear in request paths. */
public final class Names {
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

  private Names() {}

  /** Percent-encodes one path segment: everything but letters, digits and {@code -._~}. */
  public static String encode(String segment) {
    var out = new StringBuilder(segment.length() + 16);
    for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if (UNRESERVED.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%')
            .append(Character.toUpperCase(Character.forDigit(b >> 4 & 0xF, 16)))
            .append(Character.toUpperCase(Character.forDigit(b & 0xF, 16)));
      }
    }
    return out.toString();
  }

  /** {@code text} as JSON that fits in a header: other than printable ASCII becomes {@code \\uXXXX}. */
  public static String asciiJson(String json) {
    var out = new StringBuilder(json.length() + 16);
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c >= ' ' && c < 0x7F) {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    return out.toString();
  }
}
