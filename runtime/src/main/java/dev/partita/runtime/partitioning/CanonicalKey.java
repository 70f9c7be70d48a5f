package dev.partita.runtime.partitioning;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stored form of partition key values. One byte says how many components follow; each is a type byte
 * and
 *
 * <ul>
 *   <li>for a number ({@code 05}) the eight bytes of the double, big-endian;
 *   <li>for a string ({@code 08}) four bytes of length, big-endian, and its UTF-8;
 *   <li>for a string with half a surrogate pair ({@code 09}), which UTF-8 cannot tell from a question mark,
 *       four bytes of length and its UTF-16 units, big-endian;
 *   <li>nothing for undefined, null, false and true ({@code 00} to {@code 03}).
 * </ul>
 */
final class CanonicalKey {
  private static final byte UNDEFINED = 0x00;
  private static final byte NULL = 0x01;
  private static final byte FALSE = 0x02;
  private static final byte TRUE = 0x03;
  private static final byte NUMBER = 0x05;
  private static final byte TEXT = 0x08;
  private static final byte TEXT_UNITS = 0x09;
  private static final int FIXED_BYTES_MAX = 1 + Double.BYTES;

  private CanonicalKey() {}

  static Bytes write(List<Component> components) {
    if (components.size() > Byte.MAX_VALUE) {
      throw new IllegalArgumentException("a key of " + components.size() + " components");
    }
    ByteBuffer out = ByteBuffer.allocate(1 + components.size() * FIXED_BYTES_MAX);
    out.put((byte) components.size());
    for (Component component : components) {
      if (component instanceof Component.Text text) {
        boolean wellFormed = isWellFormed(text.value());
        byte[] value =
            wellFormed ? text.value().getBytes(StandardCharsets.UTF_8) : units(text.value());
        out = ByteBuffer.allocate(out.capacity() + value.length)
            .put(out.flip())
            .put(wellFormed ? TEXT : TEXT_UNITS)
            .putInt(value.length)
            .put(value);
      } else if (component instanceof Component.Num number) {
        out.put(NUMBER).putDouble(number.value());
      } else if (component instanceof Component.Bool bool) {
        out.put(bool.value() ? TRUE : FALSE);
      } else {
        out.put(component instanceof Component.Null ? NULL : UNDEFINED);
      }
    }
    return Bytes.wrap(out.array(), 0, out.position());
  }

  /** Empty for bytes that {@link #write} never makes. */
  static Optional<List<Component>> read(Bytes bytes) {
    try {
      ByteBuffer in = bytes.toByteBuffer();
      int count = in.get();
      List<Component> components = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        components.add(component(in));
      }
      // Comparing with what we would write leaves exactly one form for each key.
      return write(components).equals(bytes) ? Optional.of(components) : Optional.empty();
    } catch (BufferUnderflowException | CharacterCodingException notOurs) {
      return Optional.empty();
    }
  }

  private static Component component(ByteBuffer in) throws CharacterCodingException {
    byte type = in.get();
    return switch (type) {
      case UNDEFINED -> new Component.Undefined();
      case NULL -> new Component.Null();
      case FALSE, TRUE -> new Component.Bool(type == TRUE);
      case NUMBER -> new Component.Num(in.getDouble());
      case TEXT ->
        new Component.Text(StandardCharsets.UTF_8.newDecoder().decode(value(in)).toString());
      case TEXT_UNITS -> new Component.Text(value(in).asCharBuffer().toString());
      default -> throw new CharacterCodingException();
    };
  }

  private static ByteBuffer value(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer value = in.slice(in.position(), length);
    in.position(in.position() + length);
    return value;
  }

  private static byte[] units(String text) {
    ByteBuffer units = ByteBuffer.allocate(text.length() * Character.BYTES);
    units.asCharBuffer().put(text);
    return units.array();
  }

  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        if (Character.isLowSurrogate(unit)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
