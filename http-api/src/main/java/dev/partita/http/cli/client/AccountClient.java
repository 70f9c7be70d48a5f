package dev.partita.http.cli.client;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signed requests to one account over one connection, which is opened when first needed and again after it broke. It
 * never repeats a request: whether that is safe is the caller's to know. One thread at a time.
 */
public final class AccountClient implements Closeable {
  private static final byte[] NO_BODY = new byte[0];

  private final Endpoint endpoint;
  private final String key;
  private final RequestSigner signer;
  private @Nullable HttpConnection connection;

  public AccountClient(Endpoint endpoint, String key) {
    this.endpoint = endpoint;
    this.key = key;
    this.signer = RequestSigner.of(key);
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** {@code GET} of an admin path such as {@code /_partita/status}. */
  public Reply admin(String path) throws IOException {
    return connection()
        .exchange("GET", path, Map.of("x-partita-key", key, "Accept", "application/json"), NO_BODY);
  }

  /** A request without body for a resource of type {@code type} with this full name. */
  public Reply get(String type, ResourceName name) throws IOException {
    return send("GET", type, name.link(), name.path(), Map.of(), NO_BODY);
  }

  /** Posts {@code body} to the feed of {@code type} under {@code owner}. */
  public Reply post(String type, ResourceName owner, Map<String, String> headers, byte[] body)
      throws IOException {
    return send("POST", type, owner.link(), owner.child(type).path(), headers, body);
  }

  /**
   * Any signed request.
   *
   * @param type resource type that is signed, such as {@code docs}
   * @param link owner of a feed, or the resource itself, as it is signed
   * @param path percent-encoded path
   * @param more headers beside those that every request has; one with the same name replaces it
   */
  public Reply send(
      String verb, String type, String link, String path, Map<String, String> more, byte[] body)
      throws IOException {
    var date = RequestSigner.date(Instant.now());
    var headers = new LinkedHashMap<String, String>();
    headers.put("x-ms-date", date);
    headers.put("x-ms-version", "2020-07-15");
    headers.put("authorization", signer.authorization(verb, type, link, date));
    headers.put("Accept", "application/json");
    if (body.length > 0) {
      headers.put("Content-Type", "application/json");
    }
    headers.putAll(more);
    return connection().exchange(verb, path, headers, body);
  }

  private HttpConnection connection() throws IOException {
    var current = connection;
    if (current == null || !current.isOpen()) {
      current = endpoint.open();
      connection = current;
    }
    return current;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
