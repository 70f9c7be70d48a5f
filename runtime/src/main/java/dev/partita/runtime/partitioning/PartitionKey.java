package dev.partita.runtime.partitioning;

import dev.partita.runtime.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The value of a partition key: one component per path, or fewer for a prefix of a hierarchical key. */
public record PartitionKey(List<Component> components) {
  private static final int BYTES_MAX_V1 = 101;
  private static final int BYTES_MAX_V2 = 2048;

  public PartitionKey {
    components = List.copyOf(components);
  }

  public static PartitionKey of(Component... components) {
    return new PartitionKey(List.of(components));
  }

  /** One component. */
  public sealed interface Component {
    /** The item has no value at the path, or an object or array. */
    record Undefined() implements Component {}

    /** JSON null. */
    record Null() implements Component {}

    /** JSON true or false. */
    record Bool(boolean value) implements Component {}

    /** A JSON number, as an IEEE double; 0.0 and -0.0 are two values. */
    record Num(double value) implements Component {}

    /** A JSON string. */
    record Text(String value) implements Component {}
  }

  /** What the JSON text of a partition key turned out to be. */
  public sealed interface Parsed {
    /** A value for every path. */
    record Full(PartitionKey key) implements Parsed {}

    /** Values for the first paths of a hierarchical key, perhaps for none. */
    record Prefix(PartitionKey key) implements Parsed {}

    /** No partition key of this container; {@code reason} is a sentence for the caller. */
    record Malformed(String reason) implements Parsed {}
  }

  /**
   * Reads the JSON array that a request names its partition key with: {@code ["a"]}, {@code [12.0]}, {@code
   * [{}]} for an undefined value. An empty array is the undefined value of a container with one path.
   */
  public static Parsed parse(String json, PartitionKeyDefinition definition) {
    List<Component> components;
    try {
      components = new PartitionKeyParser(json).components();
    } catch (PartitionKeyParser.SyntaxException wrong) {
      return new Parsed.Malformed(wrong.sentence());
    }
    int paths = definition.paths().size();
    if (components.size() == paths) {
      return new Parsed.Full(new PartitionKey(components));
    }
    if (components.size() < paths && definition.kind() == PartitionKeyDefinition.Kind.MULTI_HASH) {
      return new Parsed.Prefix(new PartitionKey(components));
    }
    if (components.isEmpty() && paths == 1) {
      return new Parsed.Full(of(new Component.Undefined()));
    }
    return new Parsed.Malformed("A partition key of this container has " + paths
        + (paths == 1 ? " value, not " : " values, not ") + components.size() + ".");
  }

  /**
   * Bytes that are equal exactly when the keys are, and that tell where they end. They are stored: the
   * layout is for ever.
   */
  public Bytes canonicalBytes() {
    return CanonicalKey.write(components);
  }

  /** The key whose {@link #canonicalBytes} these are; empty when there is none. */
  public static Optional<PartitionKey> parseCanonical(Bytes bytes) {
    return CanonicalKey.read(bytes).map(PartitionKey::new);
  }

  /**
   * Why this key is too long to be stored: its strings together may have 2,048 bytes of UTF-8, or 101
   * under the hash of version 1. Empty when it is not.
   */
  public Optional<String> tooLong(PartitionKeyDefinition definition) {
    int bytesMax = definition.version() == 1 ? BYTES_MAX_V1 : BYTES_MAX_V2;
    int bytes = 0;
    for (Component component : components) {
      if (component instanceof Component.Text text) {
        bytes += utf8Length(text.value(), bytesMax);
      }
    }
    return bytes <= bytesMax
        ? Optional.empty()
        : Optional.of("The partition key value is longer than " + bytesMax + " bytes.");
  }

  /** Exact only where it matters: no text takes more than three bytes per unit, nor less than one. */
  private static int utf8Length(String text, int bytesMax) {
    return text.length() > bytesMax ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
