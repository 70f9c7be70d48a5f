package dev.partita.http.cli.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.partita.http.cli.client.Names;
import dev.partita.http.cli.load.LineReader.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Turns a line into an item to send, or says what is wrong with it. */
final class ItemParser {
  /** What became of a line. */
  sealed interface Parsed permits Item, Blank, Bad {}

  /**
   * An item.
   *
   * @param partitionKey value of the header {@code x-ms-documentdb-partitionkey}
   * @param body the line as it was
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Item(long line, String id, String partitionKey, byte[] body) implements Parsed {
    /** Equal for two lines only if they are the same item. */
    String identity() {
      return partitionKey + '\n' + id;
    }
  }

  /** A line of white space, which is no item and no mistake. */
  record Blank(long line) implements Parsed {}

  /** A line that is no item. */
  record Bad(long line, String why) implements Parsed {}

  private static final ObjectReader JSON = new ObjectMapper()
      .readerFor(JsonNode.class)
      .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final List<List<String>> paths;

  /**
   * A parser for a container with these partition key paths.
   *
   * @param paths such as {@code /country} or {@code /address/city}
   */
  ItemParser(List<String> paths) {
    this.paths =
        paths.stream().map(path -> List.of(path.substring(1).split("/"))).toList();
  }

  Parsed parse(Line line) {
    var bytes = line.bytes();
    if (bytes == null) {
      return new Bad(line.number(), "longer than " + LineReader.LINE_BYTES_MAX + " bytes");
    }
    if (isBlank(bytes)) {
      return new Blank(line.number());
    }
    try {
      JsonNode item = JSON.readValue(bytes);
      if (!item.isObject()) {
        return new Bad(line.number(), "not a JSON object");
      }
      var id = item.path("id");
      if (!id.isTextual() || id.asText().isEmpty()) {
        return new Bad(
            line.number(),
            id.isMissingNode() ? "no \"id\"" : "\"id\" is not a text with characters");
      }
      return new Item(line.number(), id.asText(), partitionKey(item), bytes);
    } catch (JsonProcessingException e) {
      return new Bad(line.number(), "not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Bad(line.number(), "not JSON: " + e.getMessage());
    }
  }

  private String partitionKey(JsonNode item) {
    var components = new ArrayList<String>();
    for (var path : paths) {
      var value = item;
      for (var name : path) {
        value = value.path(name);
      }
      components.add(value.isMissingNode() || value.isContainerNode() ? "{}" : value.toString());
    }
    return "[" + Names.asciiJson(String.join(",", components)) + "]";
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }
}
