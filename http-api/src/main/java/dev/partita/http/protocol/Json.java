package dev.partita.http.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.model.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** JSON trees for the rare, small documents: definitions, queries, settings in headers. Items never pass here. */
public final class Json {
  /** Deeper than any definition, far from the depth that would exhaust a stack. */
  private static final int NESTING_MAX = 64;

  private static final ObjectMapper MAPPER = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
      .build();

  private Json() {}

  /** An empty object to fill. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * Reads the body of a request, which must be an object.
   *
   * @throws Refusal 400
   */
  public static ObjectNode parseObject(Bytes body) {
    byte[] array = body.toArray();
    DocumentScanner.checkEncoding(array);
    checkNesting(array, "The body");
    try {
      if (MAPPER.readTree(array) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw Refusal.bad("The body is not valid JSON: " + e.getOriginalMessage() + ".");
    } catch (IOException e) {
      throw Refusal.bad("The body is not valid JSON: " + e.getMessage() + ".");
    }
    throw Refusal.bad("The body is not a JSON object.");
  }

  /** Reads JSON that stands in a header. */
  static JsonNode parse(String text, String header) {
    checkNesting(text.getBytes(StandardCharsets.UTF_8), header);
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw Refusal.bad(header + " is not valid JSON: " + e.getOriginalMessage() + ".");
    }
  }

  /** Reads JSON of our own, from the catalog. */
  public static ObjectNode trusted(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored definition is not JSON", e);
    }
  }

  /** The tree parser recurses; a bracket count that ignores strings may only refuse too much, at depths nobody uses. */
  private static void checkNesting(byte[] json, String what) {
    int depth = 0;
    for (byte b : json) {
      if (b == '{' || b == '[') {
        if (++depth > NESTING_MAX) {
          throw Refusal.bad(what + " is nested deeper than " + NESTING_MAX + " levels.");
        }
      } else if (b == '}' || b == ']') {
        depth--;
      }
    }
  }

  /** Appends a JSON string with its quotes. */
  public static void quote(StringBuilder to, String text) {
    to.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> to.append("\\\"");
        case '\\' -> to.append("\\\\");
        case '\n' -> to.append("\\n");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        default -> {
          if (c < 0x20) {
            to.append(c < 0x10 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
          } else {
            to.append(c);
          }
        }
      }
    }
    to.append('"');
  }
}
