package dev.partita.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.partita.http.protocol.RequestPath;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One request of a test, signed unless told otherwise. */
public final class Call {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final URI uri;
  private final String method;
  private final String rawPath;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private byte[] body = new byte[0];
  private String key = TestServer.KEYS.primary();
  private boolean signed = true;

  Call(HttpClient client, URI uri, String method, String rawPath) {
    this.client = client;
    this.uri = uri;
    this.method = method;
    this.rawPath = rawPath;
    headers.put("x-ms-date", date(Instant.now()));
    headers.put("x-ms-version", "2020-07-15");
  }

  public static String date(Instant instant) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC));
  }

  public Call header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** The partition key as JSON. */
  public Call key(String json) {
    return header("x-ms-documentdb-partitionkey", json);
  }

  public Call body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  public Call body(byte[] bytes) {
    body = bytes;
    return this;
  }

  public Call accountKey(String base64) {
    key = base64;
    return this;
  }

  public Call unsigned() {
    signed = false;
    return this;
  }

  public Answer expect(int status) {
    Answer answer = send();
    assertThat(answer.status()).as("%s %s: %s", method, rawPath, answer.text()).isEqualTo(status);
    return answer;
  }

  public Answer send() {
    if (signed && !headers.containsKey("authorization")) {
      headers.put("authorization", signature(method, rawPath, headers.get("x-ms-date"), key));
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).method(method, body());
    headers.forEach(request::header);
    try {
      HttpResponse<byte[]> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.headers().map(), response.body());
    } catch (Exception e) {
      throw new AssertionError(method + " " + rawPath + " got no answer", e);
    }
  }

  private HttpRequest.BodyPublisher body() {
    return body.length == 0
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofByteArray(body);
  }

  /** As the SDKs sign names. */
  public static String signature(String method, String rawPath, String date, String key) {
    RequestPath path = RequestPath.parse(rawPath);
    List<String> segments = path.segments();
    boolean resource = segments.size() % 2 == 0;
    String type = segments.isEmpty() ? "" : segments.get(segments.size() - (resource ? 2 : 1));
    String link =
        resource ? path.decoded() : String.join("/", segments.subList(0, segments.size() - 1));
    if (path.decoded().startsWith("_partita")) {
      type = "";
      link = path.decoded();
    }
    return sign(method, type, link, date, key);
  }

  public static String sign(String method, String type, String link, String date, String key) {
    String text = method.toLowerCase(Locale.ROOT) + "\n" + type + "\n" + link + "\n"
        + date.toLowerCase(Locale.ROOT) + "\n\n";
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      String sig =
          Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
      return URLEncoder.encode("type=master&ver=1.0&sig=" + sig, StandardCharsets.UTF_8);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What came back. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Answer(int status, Map<String, List<String>> headers, byte[] bytes) {
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    public JsonNode json() {
      try {
        return JSON.readTree(bytes);
      } catch (Exception e) {
        throw new AssertionError("not JSON: " + text(), e);
      }
    }

    /** The header's value, or null. */
    public String header(String name) {
      List<String> values = headers.get(name);
      return values == null ? null : values.get(0);
    }

    public String substatus() {
      return header("x-ms-substatus");
    }
  }
}
