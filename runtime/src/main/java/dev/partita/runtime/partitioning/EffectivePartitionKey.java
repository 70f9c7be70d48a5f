package dev.partita.runtime.partitioning;

import dev.partita.runtime.model.Bytes;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A position in the keyspace of a container: the ordered hash of a partition key, or a boundary between
 * ranges. On the wire it is upper-case hexadecimal text; the order of the texts is that of the bytes, so
 * either may stand for the other. Two different partition keys may share one.
 */
public final class EffectivePartitionKey implements Comparable<EffectivePartitionKey> {
  /** The lowest position, inclusive: no bytes. */
  public static final EffectivePartitionKey MIN = new EffectivePartitionKey(new byte[0], "");

  /** The exclusive end of the keyspace: {@code FF}. No partition key has an effective key there. */
  public static final EffectivePartitionKey MAX =
      new EffectivePartitionKey(new byte[] {(byte) 0xff}, "FF");

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final byte[] bytes;
  private @Nullable String hex; // made when first asked for; a race makes two equal ones

  private EffectivePartitionKey(byte[] bytes, @Nullable String hex) {
    this.bytes = bytes;
    this.hex = hex;
  }

  /**
   * The effective partition key of a whole key or, for {@code MULTI_HASH}, of a prefix of one. All keys
   * with that prefix lie from here to {@link #prefixEnd}.
   *
   * @throws IllegalArgumentException if the key has more components than the definition has paths, or
   *     fewer and the kind is {@code HASH}: {@link PartitionKey#parse} keeps callers from it
   */
  public static EffectivePartitionKey of(PartitionKeyDefinition definition, PartitionKey key) {
    int given = key.components().size();
    int paths = definition.paths().size();
    boolean hierarchical = definition.kind() == PartitionKeyDefinition.Kind.MULTI_HASH;
    if (given > paths || (given < paths && !hierarchical)) {
      throw new IllegalArgumentException(given + " components for " + paths + " paths");
    }
    if (hierarchical) {
      return new EffectivePartitionKey(KeyHash.hierarchical(key.components()), null);
    }
    return new EffectivePartitionKey(
        definition.version() == 1
            ? KeyHash.version1(key.components())
            : KeyHash.version2(key.components()),
        null);
  }

  /** Reads hexadecimal text of either case; empty when it is not pairs of hexadecimal digits. */
  public static Optional<EffectivePartitionKey> parse(String text) {
    try {
      return Optional.of(new EffectivePartitionKey(HEX.parseHex(text), null));
    } catch (IllegalArgumentException notHexadecimal) {
      return Optional.empty();
    }
  }

  /** Takes over the bytes that {@link #bytes} gave. */
  public static EffectivePartitionKey ofBytes(Bytes bytes) {
    return new EffectivePartitionKey(bytes.toArray(), null);
  }

  /** The exclusive end of all positions that begin with this one. */
  public EffectivePartitionKey prefixEnd() {
    byte[] end = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, end, 0, bytes.length);
    end[bytes.length] = (byte) 0xff;
    return new EffectivePartitionKey(end, null);
  }

  public Bytes bytes() {
    return Bytes.wrap(bytes);
  }

  /** Upper-case hexadecimal text, as on the wire. */
  public String hex() {
    String text = hex;
    if (text == null) {
      text = HEX.formatHex(bytes);
      hex = text;
    }
    return text;
  }

  /** Compares with a position given as upper-case hexadecimal text, without making any text. */
  public int compareToHex(String other) {
    int digits = bytes.length * 2;
    int common = Math.min(digits, other.length());
    for (int i = 0; i < common; i++) {
      int nibble = (i & 1) == 0 ? bytes[i >> 1] >> 4 & 0xf : bytes[i >> 1] & 0xf;
      int difference = (nibble < 10 ? '0' + nibble : 'A' - 10 + nibble) - other.charAt(i);
      if (difference != 0) {
        return difference;
      }
    }
    return digits - other.length();
  }

  @Override
  public int compareTo(EffectivePartitionKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EffectivePartitionKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return hex();
  }
}
