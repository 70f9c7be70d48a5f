package dev.partita.runtime.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A run of bytes that nobody changes, ordered as unsigned bytes. Shares the array it was made of: whoever
 * wraps an array gives it away.
 */
public final class Bytes implements Comparable<Bytes> {
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private final byte[] array;
  private final int offset;
  private final int length;

  private Bytes(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** Takes the array over, without a copy. */
  public static Bytes wrap(byte[] array) {
    return new Bytes(array, 0, array.length);
  }

  /** Takes a part of the array over, without a copy. */
  public static Bytes wrap(byte[] array, int offset, int length) {
    if ((offset | length | (array.length - offset - length)) < 0) {
      throw new IndexOutOfBoundsException(offset + "+" + length + " of " + array.length);
    }
    return new Bytes(array, offset, length);
  }

  /** The UTF-8 bytes of a text. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  public byte at(int index) {
    return array[offset + index];
  }

  /** The shared array; only the {@link #length} bytes from {@link #offset} on are ours. */
  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  /** The bytes as an array of their own length: the shared one when it fits, else a copy. */
  public byte[] toArray() {
    return offset == 0 && length == array.length
        ? array
        : Arrays.copyOfRange(array, offset, offset + length);
  }

  /** A read-only view. */
  public ByteBuffer toByteBuffer() {
    return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
  }

  /** The text whose UTF-8 bytes these are. */
  public String utf8() {
    return new String(array, offset, length, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes
        && Arrays.equals(
            array, offset, offset + length, bytes.array, bytes.offset, bytes.offset + bytes.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return length + " bytes";
  }
}
