package dev.partita.http.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP answer.
 *
 * @param headers by lower-case name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(int status, Map<String, String> headers, byte[] body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public Optional<String> header(String lowerCaseName) {
    return Optional.ofNullable(headers.get(lowerCaseName));
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The body, or a missing node if it is not JSON. */
  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory", e);
    }
  }

  /** Status, code and message of an error answer, in one line. */
  public String error() {
    var json = json();
    if (json.hasNonNull("code")) {
      var message = json.path("message").asText().lines().findFirst().orElse("");
      return status + " " + json.path("code").asText() + (message.isBlank() ? "" : ": " + message);
    }
    return "status " + status;
  }
}
