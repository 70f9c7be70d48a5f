package dev.partita.http.protocol;

/** UTF-8 as RFC 3629 has it: shortest form only, no surrogates, nothing beyond U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  /**
   * Where the bytes cease to be UTF-8.
   *
   * @return the index of the first byte of the first sequence that is none, or -1
   */
  public static int firstError(byte[] array, int from, int to) {
    int i = from;
    while (i < to) {
      int lead = array[i];
      if (lead >= 0) {
        i++;
        continue;
      }
      int length = sequenceLength(array, i, to);
      if (length == 0) {
        return i;
      }
      i += length;
    }
    return -1;
  }

  /** Length of the multi-byte sequence at {@code i}, or 0 when there is no well-formed one. */
  private static int sequenceLength(byte[] array, int i, int to) {
    int lead = array[i] & 0xFF;
    int length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || to - i < length) {
      return 0;
    }
    int second = array[i + 1] & 0xFF;
    int min = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int max = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < min || second > max) {
      return 0;
    }
    for (int k = 2; k < length; k++) {
      if ((array[i + k] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /** How many bytes the text takes; a lone surrogate counts as the one byte {@code ?} that the JDK writes. */
  public static int length(String text) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (!Character.isSurrogate(c)) {
        length += 3;
      } else if (isPair(text, i)) {
        length += 4;
        i++;
      } else {
        length++;
      }
    }
    return length;
  }

  /** Whether the text holds half of a surrogate pair, which no UTF-8 can say. */
  public static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!isPair(text, i)) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }
}
