package dev.partita.runtime.partitioning;

import java.util.List;

/** The value of a partition key: one component per path. */
public record PartitionKey(List<Component> components) {
  public PartitionKey {
    components = List.copyOf(components);
  }

  /** One component. */
  public sealed interface Component {
    /** The item has no value at the path, or an object or array. */
    record Undefined() implements Component {}

    /** JSON null. */
    record Null() implements Component {}

    /** JSON true or false. */
    record Bool(boolean value) implements Component {}

    /** A JSON number, as an IEEE double. */
    record Num(double value) implements Component {}

    /** A JSON string. */
    record Text(String value) implements Component {}
  }
}
