package dev.partita.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
  private static final Duration WINDOW = Duration.ofMinutes(15);
  private static final String OTHER_KEY = "b3RoZXIga2V5";

  record Vector(
      String verb, String type, String link, String date, String authorization, String note) {
    @Override
    public String toString() {
      return note;
    }

    Instant instant() {
      return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
    }

    /** A path with that resource, as the note tells it or as the link implies. */
    RequestPath path() {
      if (note.contains("operations/partitionkeydelete")) {
        return path("/dbs/db1/colls/c1/operations/partitionkeydelete");
      }
      if (note.contains("we%20ird")) {
        return path("/dbs/db1/colls/c1/docs/we%20ird+id%25&'%C3%A9%F0%9F%98%80");
      }
      if (link.startsWith("EE4U")) {
        return path("/dbs/EE4UAQ==/colls/" + link + (type.equals("pkranges") ? "/pkranges" : ""));
      }
      if (type.equals("offers") && !link.isEmpty()) {
        return path("/offers/" + link);
      }
      boolean resource = !note.startsWith("create")
          && (link.contains("/" + type + "/")
              || (!type.isEmpty() && link.matches(type + "/[^/]+")));
      return path(
          "/" + link + (resource || type.isEmpty() ? "" : (link.isEmpty() ? "" : "/") + type));
    }

    private static RequestPath path(String raw) {
      return RequestPath.parse(raw);
    }
  }

  static List<Vector> vectors() throws IOException {
    try (InputStream in = AuthenticatorTest.class.getResourceAsStream("/vectors/auth.json")) {
      var vectors = new ArrayList<Vector>();
      for (JsonNode row : new ObjectMapper().readTree(in)) {
        vectors.add(new Vector(
            row.get("verb").asText(),
            row.get("resourceType").asText(),
            row.get("resourceLink").asText(),
            row.get("date").asText(),
            row.get("authorization").asText(),
            row.get("note").asText()));
      }
      assertThat(vectors).hasSize(26);
      return vectors;
    }
  }

  private static Authenticator at(Instant now, AccountKeys keys) {
    return new Authenticator(keys, InstantSource.fixed(now), WINDOW);
  }

  private static RequestHeaders headers(String authorization, String date) {
    var headers = new RequestHeaders();
    headers.authorization = authorization;
    headers.msDate = date;
    return headers;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void acceptsWhatTheSdksSign(Vector vector) {
    Authenticator authenticator = at(vector.instant(), AccountKeys.of(AccountKeys.EMULATOR));
    authenticator.check(
        vector.verb(), vector.path(), headers(vector.authorization(), vector.date()), true);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void refusesAnotherVerbKeyOrPath(Vector vector) {
    RequestHeaders headers = headers(vector.authorization(), vector.date());
    Authenticator right = at(vector.instant(), AccountKeys.of(AccountKeys.EMULATOR));
    Authenticator wrong = at(vector.instant(), AccountKeys.of(OTHER_KEY));
    assertRefused(401, () -> wrong.check(vector.verb(), vector.path(), headers, true));
    assertRefused(401, () -> right.check("OPTIONS", vector.path(), headers, true));
    assertRefused(
        401,
        () -> right.check(
            vector.verb(), RequestPath.parse("/dbs/else/colls/x/docs/y"), headers, true));
  }

  @Test
  void acceptsDatesWithinTheWindowOnly() throws IOException {
    Vector vector = vectors().get(0);
    RequestHeaders headers = headers(vector.authorization(), vector.date());
    for (Map.Entry<Duration, Integer> row : Map.of(
            WINDOW,
            0,
            WINDOW.negated(),
            0,
            WINDOW.plusSeconds(1),
            403,
            WINDOW.negated().minusSeconds(1),
            403)
        .entrySet()) {
      Authenticator authenticator =
          at(vector.instant().plus(row.getKey()), AccountKeys.of(AccountKeys.EMULATOR));
      if (row.getValue() == 0) {
        authenticator.check(vector.verb(), vector.path(), headers, true);
      } else {
        assertRefused(403, () -> authenticator.check(vector.verb(), vector.path(), headers, true));
      }
    }
  }

  @Test
  void secondaryKeySignsToo() throws IOException {
    Vector vector = vectors().get(0);
    var keys = new AccountKeys(OTHER_KEY, Optional.of(AccountKeys.EMULATOR), List.of());
    at(vector.instant(), keys)
        .check(vector.verb(), vector.path(), headers(vector.authorization(), vector.date()), true);
  }

  @Test
  void readOnlyKeyReadsOnly() throws IOException {
    Vector vector = vectors().get(0);
    var keys = new AccountKeys(OTHER_KEY, Optional.empty(), List.of(AccountKeys.EMULATOR));
    RequestHeaders headers = headers(vector.authorization(), vector.date());
    at(vector.instant(), keys).check(vector.verb(), vector.path(), headers, false);
    assertRefused(
        403, () -> at(vector.instant(), keys).check(vector.verb(), vector.path(), headers, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "type%3Dmaster",
        "type%3Dmaster%26ver%3D1.0%26sig%3D",
        "type%3Dmaster%26ver%3D1.0%26sig%3D%21%21",
        "type%3Daad%26ver%3D1.0%26sig%3Dabc",
        "type%3Dresource%26ver%3D1%26sig%3Dabc",
        "Bearer abc",
        "%zz"
      })
  void refusesWhatIsNoSignature(String authorization) {
    RequestHeaders headers =
        headers(authorization.isEmpty() ? null : authorization, "Mon, 30 Nov 2026 15:00:42 GMT");
    Authenticator authenticator = at(Instant.EPOCH, AccountKeys.of(AccountKeys.EMULATOR));
    assertRefused(401, () -> authenticator.check("GET", RequestPath.parse("/dbs"), headers, false));
  }

  private static void assertRefused(int status, Runnable check) {
    assertThatThrownBy(check::run)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code().status()).isEqualTo(status));
  }
}
