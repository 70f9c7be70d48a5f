package dev.partita.runtime.partitioning;

import dev.partita.runtime.partitioning.PartitionKey.Component;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The bytes of effective partition keys: the three schemes of protocol section 10. */
final class KeyHash {
  /** Length of one hash of version 2, and of one level of a hierarchical key. */
  static final int LEVEL_BYTES = 16;

  /** Version 1 looks at this many UTF-16 units of a text. */
  private static final int V1_UNITS_MAX = 100;

  /** Version 1 writes this many UTF-8 bytes of a text that has more than {@link #V1_UNITS_MAX} bytes. */
  private static final int V1_BYTES_MAX = 101;

  private static final int NUMBER_BYTES_MAX = 10;

  private static final int UNDEFINED = 0x00;
  private static final int NULL = 0x01;
  private static final int FALSE = 0x02;
  private static final int TRUE = 0x03;
  private static final int NUMBER = 0x05;
  private static final int TEXT = 0x08;

  private KeyHash() {}

  /** One hash over all components. */
  static byte[] version2(List<Component> components) {
    byte[] hash = new byte[LEVEL_BYTES];
    hashInto(hash, 0, HashInput.of(components, Integer.MAX_VALUE, 0xff));
    return hash;
  }

  /** One hash of version 2 per component, one after the other. */
  static byte[] hierarchical(List<Component> components) {
    byte[] hashes = new byte[LEVEL_BYTES * components.size()];
    for (int level = 0; level < components.size(); level++) {
      var input = HashInput.of(components.subList(level, level + 1), Integer.MAX_VALUE, 0xff);
      hashInto(hashes, level * LEVEL_BYTES, input);
    }
    return hashes;
  }

  private static void hashInto(byte[] out, int at, HashInput input) {
    Murmur3.x64(input.bytes, 0, input.length, out, at);
    out[at] &= 0x3f;
  }

  /** A hash of 32 bits as an ordered number, then the components themselves, cut. */
  static byte[] version1(List<Component> components) {
    var input = HashInput.of(components, V1_UNITS_MAX, 0x00);
    long hash = Integer.toUnsignedLong(Murmur3.x86(input.bytes, input.length));
    byte[] key = new byte[(1 + components.size()) * NUMBER_BYTES_MAX + input.length];
    int at = orderedNumber(key, 0, (double) hash);
    for (Component component : components) {
      if (component instanceof Component.Text text) {
        at = orderedText(key, at, cutUtf8(text.value(), V1_UNITS_MAX));
      } else if (component instanceof Component.Num number) {
        at = orderedNumber(key, at, number.value());
      } else {
        key[at++] = (byte) type(component);
      }
    }
    return Arrays.copyOf(key, at);
  }

  /** The bytes of a number of version 1: they sort as the numbers do. */
  static byte[] orderedNumber(double value) {
    byte[] bytes = new byte[NUMBER_BYTES_MAX];
    return Arrays.copyOf(bytes, orderedNumber(bytes, 0, value));
  }

  private static int orderedNumber(byte[] out, int from, double value) {
    int at = from;
    out[at++] = NUMBER;
    long bits = Double.doubleToRawLongBits(value);
    bits = bits >= 0 ? bits | Long.MIN_VALUE : -bits;
    out[at++] = (byte) (bits >>> 56);
    long rest = bits << 8;
    do {
      // Seven bits a byte; its lowest bit says whether another byte follows.
      out[at++] = (byte) (rest >>> 56 | 1);
      rest <<= 7;
    } while (rest != 0);
    out[at - 1] &= (byte) 0xfe;
    return at;
  }

  private static int orderedText(byte[] out, int from, byte[] utf8) {
    int at = from;
    out[at++] = TEXT;
    boolean whole = utf8.length <= V1_UNITS_MAX;
    int length = whole ? utf8.length : V1_BYTES_MAX;
    for (int i = 0; i < length; i++) {
      out[at++] = (byte) (utf8[i] + 1);
    }
    if (whole) {
      out[at++] = 0;
    }
    return at;
  }

  private static int type(Component component) {
    if (component instanceof Component.Text) {
      return TEXT;
    } else if (component instanceof Component.Num) {
      return NUMBER;
    } else if (component instanceof Component.Bool bool) {
      return bool.value() ? TRUE : FALSE;
    } else if (component instanceof Component.Null) {
      return NULL;
    }
    return UNDEFINED;
  }

  /** A lone surrogate becomes a question mark, as in the public Java client. */
  private static byte[] cutUtf8(String text, int unitsMax) {
    String cut = text.length() > unitsMax ? text.substring(0, unitsMax) : text;
    return cut.getBytes(StandardCharsets.UTF_8);
  }

  /** What is hashed: per component its type, its value and, after a text, an end mark. */
  private static final class HashInput {
    private byte[] bytes;
    private int length;

    private HashInput(int capacity) {
      bytes = new byte[capacity];
    }

    static HashInput of(List<Component> components, int unitsMax, int textEnd) {
      var input = new HashInput(components.size() * 9);
      for (Component component : components) {
        input.add(component, unitsMax, textEnd);
      }
      return input;
    }

    private void add(Component component, int unitsMax, int textEnd) {
      if (component instanceof Component.Text text) {
        byte[] utf8 = cutUtf8(text.value(), unitsMax);
        bytes = Arrays.copyOf(bytes, bytes.length + utf8.length + 2);
        bytes[length++] = TEXT;
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
        bytes[length++] = (byte) textEnd;
      } else {
        bytes[length++] = (byte) type(component);
        if (component instanceof Component.Num number) {
          long bits = Double.doubleToRawLongBits(number.value());
          for (int i = 0; i < Double.BYTES; i++) {
            bytes[length++] = (byte) (bits >>> (8 * i));
          }
        }
      }
    }
  }
}
