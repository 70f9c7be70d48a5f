package dev.partita.multijvm.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A content of an item. Every version of every item is another text, of another size, and can be made again from id and
 * number, so that whatever a read returns is either a whole version or torn.
 */
public record Version(String id, String key, long number) {
  private static final int PAYLOAD_MIN = 50;
  private static final int PAYLOAD_MAX = 3_000;

  /** The item to send. */
  public ObjectNode item() {
    var random = new SplittableRandom(31L * id.hashCode() + number);
    int length = random.nextInt(PAYLOAD_MIN, PAYLOAD_MAX);
    var payload = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      payload.append((char) ('a' + random.nextInt(26)));
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", id)
        .put("pk", key)
        .put("number", number)
        .put("payload", payload.toString());
  }

  /**
   * The version that a stored item is.
   *
   * @throws AssertionError if it is none, whole
   */
  public static Version of(JsonNode stored) {
    var version = new Version(
        stored.path("id").asText(),
        stored.path("pk").asText(),
        stored.path("number").asLong(-1));
    var own = (ObjectNode) stored.deepCopy();
    own.remove(List.of("_rid", "_self", "_etag", "_ts", "_attachments"));
    if (!own.toString().equals(version.item().toString())) {
      throw new AssertionError("an item is torn or mixed up: " + stored);
    }
    return version;
  }
}
