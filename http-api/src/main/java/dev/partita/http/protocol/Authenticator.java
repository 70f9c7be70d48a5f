package dev.partita.http.protocol;

import static dev.partita.http.protocol.ErrorCode.FORBIDDEN;
import static dev.partita.http.protocol.ErrorCode.UNAUTHORIZED;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signature that every request of the dialect carries: HMAC-SHA256 over verb, resource type, resource
 * link and date. Safe for use by many threads; signatures are compared in constant time.
 */
public final class Authenticator {
  private static final String TOKEN_PREFIX = "type=";

  /** A date header seen last; within a second nearly all requests bring the same one. */
  private record SignedDate(
      String text, String lower, @Nullable Instant instant) {}

  private final AccountKeys keys;
  private final List<byte[]> secrets;
  private final int fullAccessCount;
  private final InstantSource clock;
  private final Duration skewMax;
  private final ThreadLocal<Mac[]> macs;
  private volatile SignedDate lastDate = new SignedDate("", "", null);

  /**
   * @param clock what the dates of requests are compared with
   * @param skewMax how far a date may be from the clock, in either direction
   */
  public Authenticator(AccountKeys keys, InstantSource clock, Duration skewMax) {
    this.keys = keys;
    this.clock = clock;
    this.skewMax = skewMax;
    var all = new ArrayList<byte[]>();
    all.add(AccountKeys.decode(keys.primary()));
    keys.secondary().map(AccountKeys::decode).ifPresent(all::add);
    this.fullAccessCount = all.size();
    keys.readOnly().stream().map(AccountKeys::decode).forEach(all::add);
    this.secrets = List.copyOf(all);
    this.macs =
        ThreadLocal.withInitial(() -> secrets.stream().map(Authenticator::mac).toArray(Mac[]::new));
  }

  /**
   * Lets a properly signed request pass.
   *
   * @param verb method in upper case
   * @param writes whether it needs more than a read-only key
   * @throws Refusal 401 without a valid signature, 403 for an old or early date, and for a read-only key on a write
   */
  public void check(String verb, RequestPath path, RequestHeaders headers, boolean writes) {
    byte[] signature = signature(headers.authorization);
    SignedDate date = date(headers);
    Target target = Target.of(path);
    int key = findKey(verb, target, headers, date, signature);
    if (key < 0) {
      throw new Refusal(
          UNAUTHORIZED,
          "The signature in the authorization header is not valid for this request. The server expected to be signed: '"
              + printable(text(verb, target.type(), target.link(), headers, date))
              + "'. Check the account key, the verb, the resource link and x-ms-date.");
    }
    if (date.instant() == null) {
      throw new Refusal(
          UNAUTHORIZED, "x-ms-date is not a date as in RFC 1123: Mon, 30 Nov 2026 15:00:42 GMT.");
    }
    Duration skew = Duration.between(date.instant(), clock.instant()).abs();
    if (skew.compareTo(skewMax) > 0) {
      throw new Refusal(
          FORBIDDEN,
          "The signature is not valid now: x-ms-date is " + skew.toSeconds()
              + " s away from the server's clock ("
              + DateTimeFormatter.RFC_1123_DATE_TIME.format(
                  clock.instant().atOffset(ZoneOffset.UTC))
              + "), and " + skewMax.toSeconds() + " s are allowed.");
    }
    if (writes && key >= fullAccessCount) {
      throw new Refusal(FORBIDDEN, "A read-only key cannot write.");
    }
  }

  /** Whether the text is one of the account's keys, for scripts that do not sign. */
  public boolean isKey(String text) {
    return keys.contains(text);
  }

  private int findKey(
      String verb, Target target, RequestHeaders headers, SignedDate date, byte[] signature) {
    boolean ridFirst = target.looksLikeRid();
    String first = ridFirst ? target.ridLink() : target.link();
    String second = ridFirst ? target.link() : target.ridLink();
    int key = findKey(text(verb, target.type(), first, headers, date), signature);
    return key >= 0 || first.equals(second)
        ? key
        : findKey(text(verb, target.type(), second, headers, date), signature);
  }

  private int findKey(String text, byte[] signature) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Mac[] mine = macs.get();
    for (int i = 0; i < mine.length; i++) {
      if (MessageDigest.isEqual(mine[i].doFinal(bytes), signature)) {
        return i;
      }
    }
    return -1;
  }

  private static String text(
      String verb, String type, String link, RequestHeaders headers, SignedDate date) {
    boolean msDate = headers.msDate != null;
    return verb.toLowerCase(Locale.ROOT)
        + '\n'
        + type.toLowerCase(Locale.ROOT)
        + '\n'
        + link
        + '\n'
        + (msDate ? date.lower() : "")
        + '\n'
        + (msDate ? "" : date.lower())
        + '\n';
  }

  private static String printable(String text) {
    return text.replace("\n", "\\n");
  }

  private SignedDate date(RequestHeaders headers) {
    String text = headers.msDate != null ? headers.msDate : headers.date;
    if (text == null) {
      throw new Refusal(UNAUTHORIZED, "The request has neither an x-ms-date nor a date header.");
    }
    SignedDate last = lastDate;
    if (!last.text().equals(text)) {
      last = new SignedDate(text, text.toLowerCase(Locale.ROOT), instant(text));
      lastDate = last;
    }
    return last;
  }

  private static @Nullable Instant instant(String text) {
    try {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
    } catch (DateTimeParseException notRfc1123) {
      return null;
    }
  }

  /** The 32 bytes of {@code type%3Dmaster%26ver%3D1.0%26sig%3D…}. */
  private static byte[] signature(@Nullable String header) {
    if (header == null) {
      throw new Refusal(UNAUTHORIZED, "Required header 'authorization' is missing.");
    }
    String token = unescape(header);
    if (token.startsWith(TOKEN_PREFIX) && !token.startsWith("type=master&")) {
      throw new Refusal(
          UNAUTHORIZED,
          "Only signatures by an account key (type=master) are accepted, not resource or AAD tokens.");
    }
    int sig = token.indexOf("&sig=");
    if (!token.startsWith("type=master&ver=1.0&") || sig < 0) {
      throw new Refusal(
          UNAUTHORIZED,
          "The authorization header is not type=master&ver=1.0&sig=..., percent-encoded.");
    }
    try {
      return Base64.getDecoder().decode(token.substring(sig + "&sig=".length()));
    } catch (IllegalArgumentException notBase64) {
      throw new Refusal(UNAUTHORIZED, "The signature in the authorization header is not base64.");
    }
  }

  private static String unescape(String header) {
    try {
      return RequestPath.decode(header);
    } catch (Refusal badEscape) {
      throw new Refusal(UNAUTHORIZED, "The authorization header is not percent-encoded text.");
    }
  }

  private static Mac mac(byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** What a signature is for. A path of an even number of segments is a resource, of an odd number a feed of one. */
  private record Target(String type, String link) {
    static Target of(RequestPath path) {
      int size = path.size();
      if (size == 0) {
        return new Target("", "");
      }
      String last = path.segment(size - 1);
      if (path.segment(0).equals("_partita")) {
        return new Target("", path.decoded());
      }
      if (size == 6 && path.segment(4).equals("operations")) {
        return new Target("colls", ownerLink(ownerLink(path.decoded())));
      }
      return size % 2 == 0
          ? new Target(path.segment(size - 2), path.decoded())
          : new Target(last, ownerLink(path.decoded()));
    }

    private static String ownerLink(String link) {
      int slash = link.lastIndexOf('/');
      return slash < 0 ? "" : link.substring(0, slash);
    }

    /** The last RID of the link in lower case, which is all that clients sign of a path of RIDs. */
    String ridLink() {
      return link.substring(link.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }

    boolean looksLikeRid() {
      return link.endsWith("=");
    }
  }
}
