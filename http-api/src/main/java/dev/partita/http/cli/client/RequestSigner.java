package dev.partita.http.cli.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with an account key: HMAC-SHA256 over verb, resource type, resource link and date. It owns one
 * {@link Mac}, so each thread needs its own signer.
 */
public final class RequestSigner {
  /** The key that every emulator of this dialect knows; a node accepts it on loopback only. */
  public static final String WELL_KNOWN_KEY =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  private static final DateTimeFormatter RFC_1123 =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
  private static final String PREFIX = "type%3Dmaster%26ver%3D1.0%26sig%3D";

  private final Mac mac;

  private RequestSigner(Mac mac) {
    this.mac = mac;
  }

  /**
   * A signer for {@code key}.
   *
   * @throws CommandFailure if the key is not base64
   */
  public static RequestSigner of(String key) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key.strip()), "HmacSHA256"));
      return new RequestSigner(mac);
    } catch (IllegalArgumentException | InvalidKeyException e) {
      throw new CommandFailure(
          "the key is not an account key (base64 text): copy it from the output of 'serve'", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has HmacSHA256", e);
    }
  }

  /** {@code now} as the {@code x-ms-date} header wants it. */
  public static String date(Instant now) {
    return RFC_1123.format(now.atOffset(ZoneOffset.UTC));
  }

  /**
   * The value of the {@code authorization} header.
   *
   * @param verb for example {@code POST}
   * @param type resource type, for example {@code docs}
   * @param link the owner's or the resource's full name, not percent-encoded
   * @param date the value of {@code x-ms-date}
   */
  public String authorization(String verb, String type, String link, String date) {
    var text = verb.toLowerCase(Locale.ROOT) + '\n' + type + '\n' + link + '\n'
        + date.toLowerCase(Locale.ROOT) + "\n\n";
    var signature =
        Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    return PREFIX + signature.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");
  }
}
