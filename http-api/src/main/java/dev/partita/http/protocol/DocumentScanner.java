package dev.partita.http.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an item in one streaming pass: checks that it is one JSON object (RFC 8259, UTF-8, at most {@link
 * #NESTING_MAX} deep), finds its id and partition key, and cuts the system properties that a client sent back. All
 * other bytes stay as they came, number formats and blanks included; without anything to cut they are not copied.
 *
 * <p>A property that comes twice: the bytes are kept, and readers take the last one, as most parsers do. But {@code
 * id}, and what stands on a partition key path, must come once, so that two readers never disagree on where an item
 * lives.
 */
public final class DocumentScanner {
  /** Objects and arrays in each other, the outermost counted. */
  public static final int NESTING_MAX = 128;

  private static final Set<String> SYSTEM_PROPERTIES =
      Set.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn");

  /**
   * Its table of names must stay on, without it Jackson reads bytes as characters and knows no byte positions; but
   * names of clients are without bound, so they are not interned, and names chosen to collide are no failure.
   */
  private static final JsonFactory JSON = new JsonFactoryBuilder()
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
      .build();

  private final byte[] array;
  private final JsonParser parser;
  private final KeyPaths paths;
  private final Component[] components;
  private final boolean[] seen;
  private @Nullable String id;
  private final List<int[]> cuts = new ArrayList<>(0);

  private DocumentScanner(byte[] array, JsonParser parser, KeyPaths paths) {
    this.array = array;
    this.parser = parser;
    this.paths = paths;
    this.components = new Component[paths.size()];
    Arrays.fill(components, new Component.Undefined());
    this.seen = new boolean[paths.nodes()];
  }

  /**
   * Reads an item.
   *
   * @param array the body; given away, not to be changed afterwards
   * @param paths of the container's partition key
   * @throws Refusal 400 that says what is wrong
   */
  public static ScannedDocument scan(byte[] array, KeyPaths paths) {
    checkEncoding(array);
    try (JsonParser parser = JSON.createParser(array)) {
      return new DocumentScanner(array, parser, paths).document();
    } catch (JsonProcessingException e) {
      throw Refusal.bad("The body is not valid JSON: " + e.getOriginalMessage() + " at byte "
          + (e.getLocation() == null ? 0 : e.getLocation().getByteOffset()) + ".");
    } catch (IOException e) {
      throw Refusal.bad("The body is not valid JSON: " + e.getMessage() + ".");
    }
  }

  /** Jackson guesses UTF-16 and UTF-32 from zero bytes and marks, and takes overlong UTF-8; we take UTF-8 only. */
  static void checkEncoding(byte[] array) {
    if (array.length == 0) {
      throw Refusal.bad("The body is empty; an item is a JSON object.");
    }
    if (array.length >= 3
        && array[0] == (byte) 0xEF
        && array[1] == (byte) 0xBB
        && array[2] == (byte) 0xBF) {
      throw Refusal.bad("The body begins with a byte order mark; send UTF-8 without one.");
    }
    for (int i = 0; i < Math.min(4, array.length); i++) {
      if (array[i] == 0) {
        throw Refusal.bad("The body holds a zero byte; send JSON as UTF-8.");
      }
    }
    int error = Utf8.firstError(array, 0, array.length);
    if (error >= 0) {
      throw Refusal.bad("The body is not UTF-8: byte " + error + " is wrong.");
    }
  }

  private ScannedDocument document() throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw Refusal.bad("An item is a JSON object.");
    }
    int start = tokenStart();
    topLevel();
    int end = position();
    if (parser.nextToken() != null) {
      throw Refusal.bad("Something follows the JSON object at byte " + tokenStart() + ".");
    }
    String found = id;
    if (found == null) {
      throw Refusal.bad("The item has no 'id'; it is required and must be a string.");
    }
    ResourceNames.checkItemId(found);
    return new ScannedDocument(
        found, new PartitionKey(Arrays.asList(components)), body(start, end));
  }

  /**
   * Reads the members of the item. A member to cut is cut with the comma behind it; when none follows, with the comma
   * before it.
   */
  private void topLevel() throws IOException {
    int keptEnd = position();
    int cutStart = -1;
    int memberEnd = keptEnd;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.getCurrentName();
      boolean system = name.startsWith("_") && SYSTEM_PROPERTIES.contains(name);
      if (system || cutStart >= 0) {
        int start = tokenStart();
        if (cutStart >= 0) {
          cuts.add(new int[] {cutStart, start});
        }
        cutStart = system ? start : -1;
      }
      JsonToken value = parser.nextToken();
      if (name.equals("id")) {
        takeId(value);
      }
      value(value, paths.root().child(name), 2);
      parser.finishToken();
      memberEnd = position();
      if (!system) {
        keptEnd = memberEnd;
      }
    }
    if (cutStart >= 0) {
      int from = keptEnd;
      cuts.removeIf(cut -> cut[0] >= from);
      cuts.add(new int[] {from, memberEnd});
    }
  }

  private void takeId(JsonToken value) throws IOException {
    if (id != null) {
      throw Refusal.bad("The item has two properties 'id'.");
    }
    if (value != JsonToken.VALUE_STRING) {
      throw Refusal.bad("The 'id' of an item must be a string.");
    }
    id = parser.getText();
  }

  /** Reads the value at {@code node}, which is null off the paths of the key. */
  private void value(JsonToken token, KeyPaths.@Nullable Node node, int depth) throws IOException {
    if (node != null) {
      if (seen[node.index()]) {
        throw Refusal.bad("The property '" + node.name() + "' of the partition key comes twice.");
      }
      seen[node.index()] = true;
      if (node.component() >= 0) {
        components[node.component()] = component(token);
      }
    }
    if (!token.isStructStart()) {
      return;
    }
    checkDepth(depth);
    if (node == null || node.children().isEmpty() || token == JsonToken.START_ARRAY) {
      skip(depth);
    } else {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        KeyPaths.Node child = node.child(parser.getCurrentName());
        value(parser.nextToken(), child, depth + 1);
      }
    }
  }

  private void skip(int outer) throws IOException {
    int depth = outer;
    while (depth >= outer) {
      JsonToken token = parser.nextToken();
      if (token.isStructStart()) {
        checkDepth(++depth);
      } else if (token.isStructEnd()) {
        depth--;
      }
    }
  }

  private static void checkDepth(int depth) {
    if (depth > NESTING_MAX) {
      throw Refusal.bad("The item is nested deeper than " + NESTING_MAX + " levels.");
    }
  }

  private Component component(JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> new Component.Text(parser.getText());
      case VALUE_NULL -> new Component.Null();
      case VALUE_TRUE -> new Component.Bool(true);
      case VALUE_FALSE -> new Component.Bool(false);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Component.Num(number());
      default -> new Component.Undefined();
    };
  }

  private double number() throws IOException {
    double value = Double.parseDouble(parser.getText());
    if (Double.isInfinite(value)) {
      throw Refusal.bad("The number in the partition key is beyond an IEEE double.");
    }
    return value;
  }

  private Bytes body(int start, int end) {
    if (cuts.isEmpty()) {
      return Bytes.wrap(array, start, end - start);
    }
    int length = end - start;
    for (int[] cut : cuts) {
      length -= cut[1] - cut[0];
    }
    var kept = new byte[length];
    int to = 0;
    int from = start;
    for (int[] cut : cuts) {
      System.arraycopy(array, from, kept, to, cut[0] - from);
      to += cut[0] - from;
      from = cut[1];
    }
    System.arraycopy(array, from, kept, to, end - from);
    return Bytes.wrap(kept);
  }

  private int tokenStart() {
    return (int) parser.getTokenLocation().getByteOffset();
  }

  private int position() {
    return (int) parser.getCurrentLocation().getByteOffset();
  }
}
