package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.TestServer;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Lsn;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemsRouteTest {
  private static final String DOCS = "/dbs/d/colls/c/docs";
  private static final AtomicInteger IDS = new AtomicInteger();
  private static TestServer server;
  private String id;

  @BeforeAll
  static void start() {
    server = new TestServer();
    server.createContainer(2);
    server
        .post(
            "/dbs/d/colls",
            "{\"id\":\"h\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\",\"/c\"],\"kind\":\"MultiHash\"}}")
        .expect(201);
    server
        .post("/dbs/d/colls", "{\"id\":\"v1\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
        .expect(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void freshId() {
    id = "i" + IDS.incrementAndGet();
  }

  private String item(String rest) {
    return "{\"id\":\"" + id + "\",\"pk\":\"p\"" + rest + "}";
  }

  private Call create(String rest) {
    return server.post(DOCS, item(rest)).key("[\"p\"]");
  }

  private Call on(String method) {
    return server.call(method, DOCS + "/" + id).key("[\"p\"]");
  }

  @Test
  void createsReadsReplacesAndDeletes() {
    Answer made = create(",\"n\":1.50").expect(201);
    assertThat(made.text()).startsWith("{\"id\":\"" + id + "\",\"pk\":\"p\",\"n\":1.50,");
    assertThat(made.json().get("_etag").asText()).isEqualTo(made.header("etag"));
    assertThat(on("GET").expect(200).text()).isEqualTo(made.text());
    Answer replaced = on("PUT").body(item(",\"n\":2")).expect(200);
    assertThat(replaced.header("etag")).isNotEqualTo(made.header("etag"));
    Answer gone = on("DELETE").expect(204);
    assertThat(gone.bytes()).isEmpty();
    Answer missing = on("GET").expect(404);
    assertThat(missing.substatus()).isEqualTo("0");
    assertThat(missing.header("x-ms-session-token")).isNotNull();
    on("DELETE").expect(404);
    on("PUT").body(item("")).expect(404);
  }

  @Test
  void refusesASecondCreate() {
    create("").expect(201);
    Answer conflict = create("").expect(409);
    assertThat(conflict.json().get("code").asText()).isEqualTo("Conflict");
    assertThat(conflict.header("x-ms-session-token")).isNotNull();
  }

  @Test
  void upsertCreatesThenReplaces() {
    create("").header("x-ms-documentdb-is-upsert", "true").expect(201);
    create(",\"a\":1").header("x-ms-documentdb-is-upsert", "True").expect(200);
  }

  @Test
  void u45AWrongEtagKeepsTheItem() {
    String etag = create("").expect(201).header("etag");
    on("DELETE").header("If-Match", "\"nope\"").expect(412);
    on("GET").expect(200);
    on("DELETE").header("If-Match", etag).expect(204);
  }

  @Test
  void u53TheCurrentEtagAnswers304() {
    String etag = create("").expect(201).header("etag");
    Answer same = on("GET").header("If-None-Match", etag).expect(304);
    assertThat(same.bytes()).isEmpty();
    assertThat(same.header("etag")).isEqualTo(etag);
    assertThat(Double.parseDouble(same.header("x-ms-request-charge"))).isPositive();
    on("PUT").body(item(",\"n\":2")).expect(200);
    on("GET").header("If-None-Match", etag).expect(200);
  }

  @Test
  void u60AnEtagClashHasItsCode() {
    create("").expect(201);
    Answer clash = on("PUT").header("If-Match", "\"nope\"").body(item("")).expect(412);
    assertThat(clash.substatus()).isEqualTo("0");
    assertThat(clash.header("content-type")).isEqualTo("application/json");
    JsonNode body = clash.json();
    assertThat(body.get("code").asText()).isEqualTo("PreconditionFailed");
    assertThat(body.get("message").asText()).contains("If-Match");
    on("PUT").header("If-Match", "*").body(item("")).expect(200);
  }

  @Test
  void minimalAnswersHaveNoBody() {
    Answer made = create("").header("Prefer", "return=minimal").expect(201);
    assertThat(made.bytes()).isEmpty();
    assertThat(made.header("etag")).isNotNull();
    assertThat(on("GET").header("Prefer", "return=minimal").expect(200).bytes()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"x\"|[\"x\"]",
        "12|[12.0]",
        "12.0|[12]",
        "1e2|[100]",
        "null|[null]",
        "true|[true]",
        "false|[false]",
        "{}|[{}]",
        "[1,2]|[{}]",
        "\"\\u00fc\\ud83d\\ude00\"|[\"\\u00FC\\uD83D\\uDE00\"]",
        "\"\"|[\"\"]"
      })
  void everyKeyType(String inItem, String inHeader) {
    server
        .post(DOCS, "{\"id\":\"" + id + "\",\"pk\":" + inItem + "}")
        .key(inHeader)
        .expect(201);
    server.get(DOCS + "/" + id).key(inHeader).expect(200);
    server.get(DOCS + "/" + id).key("[\"another\"]").expect(404);
  }

  @Test
  void noneIsAnItemWithoutTheProperty() {
    server.post(DOCS, "{\"id\":\"" + id + "\"}").key("[{}]").expect(201);
    server.get(DOCS + "/" + id).key("[{}]").expect(200);
    server.get(DOCS + "/" + id).key("[null]").expect(404);
  }

  @Test
  void takesTheKeyFromTheItemWhenNoHeaderNamesIt() {
    server.post(DOCS, item("")).expect(201);
    on("GET").expect(200);
    server.call("PUT", DOCS + "/" + id).body(item(",\"a\":1")).expect(200);
    Answer refused = server.get(DOCS + "/" + id).expect(400);
    assertThat(refused.text()).contains("x-ms-documentdb-partitionkey");
    server.get(DOCS + "/" + id).key("").expect(400);
  }

  @Test
  void mismatchOfKeysHasItsSubstatus() {
    Answer refused = server.post(DOCS, item("")).key("[\"q\"]").expect(400);
    assertThat(refused.substatus()).isEqualTo("1001");
  }

  @Test
  void hierarchicalKeysMayLackLevels() {
    String docs = "/dbs/d/colls/h/docs";
    server
        .post(docs, "{\"id\":\"1\",\"a\":\"t\",\"b\":\"u\",\"c\":\"s\"}")
        .key("[\"t\",\"u\",\"s\"]")
        .expect(201);
    server.post(docs, "{\"id\":\"2\",\"a\":\"t\"}").key("[\"t\",null,null]").expect(201);
    server.get(docs + "/2").key("[\"t\",null,null]").expect(200);
    server.post(docs, "{\"id\":\"3\",\"a\":\"t\"}").key("[\"t\",{},{}]").expect(201);
    server
        .post(docs, "{\"id\":\"4\",\"a\":\"t\",\"b\":\"x\"}")
        .key("[\"t\",null,null]")
        .expect(400);
    server.get(docs + "/1").key("[\"t\"]").expect(400);
    assertThat(server.get(docs).key("[\"t\"]").expect(200).json().get("_count").asInt())
        .isEqualTo(3);
    assertThat(server
            .get(docs)
            .key("[\"t\",\"u\"]")
            .expect(200)
            .json()
            .get("_count")
            .asInt())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a%b", "😀", "é+&'=", "a?b", "...", "a;b,c", "\"q\"", "x=="})
  void oddIds(String odd) {
    String raw = URLEncoder.encode(odd, StandardCharsets.UTF_8).replace("+", "%20");
    server
        .post(DOCS, "{\"id\":\"" + odd.replace("\"", "\\\"") + "\",\"pk\":\"odd\"}")
        .key("[\"odd\"]")
        .expect(201);
    assertThat(server
            .get(DOCS + "/" + raw)
            .key("[\"odd\"]")
            .expect(200)
            .json()
            .get("id")
            .asText())
        .isEqualTo(odd);
  }

  @Test
  void plusInAPathIsAPlus() {
    server.post(DOCS, "{\"id\":\"a+b\",\"pk\":\"p\"}").key("[\"p\"]").expect(201);
    server.get(DOCS + "/a+b").key("[\"p\"]").expect(200);
    server.get(DOCS + "/a%2Bb").key("[\"p\"]").expect(200);
    server.get(DOCS + "/a%20b").key("[\"p\"]").expect(404);
  }

  @Test
  void idsUpTo1023Bytes() {
    String longest = "é".repeat(511) + "x";
    server
        .post(DOCS, "{\"id\":\"" + longest + "\",\"pk\":\"p\"}")
        .key("[\"p\"]")
        .expect(201);
    server
        .get(DOCS + "/" + URLEncoder.encode(longest, StandardCharsets.UTF_8))
        .key("[\"p\"]")
        .expect(200);
    server
        .post(DOCS, "{\"id\":\"" + longest + "y\",\"pk\":\"p\"}")
        .key("[\"p\"]")
        .expect(400);
  }

  @Test
  void itemsUpTo2MegabytesAndNotMore() {
    String prefix = "{\"id\":\"" + id + "\",\"pk\":\"p\",\"t\":\"";
    String fits = prefix + "x".repeat(Settings.BODY_BYTES_MAX - prefix.length() - 2) + "\"}";
    server.post(DOCS, fits).key("[\"p\"]").expect(201);
    Answer refused =
        server.post(DOCS, fits.replace("\"}", "x\"}")).key("[\"p\"]").expect(413);
    assertThat(refused.json().get("code").asText()).isEqualTo("RequestEntityTooLarge");
    server.post(DOCS, fits + " ".repeat(12_000_000)).key("[\"p\"]").expect(413);
  }

  @Test
  void keysHaveALength() {
    server
        .post(DOCS, "{\"id\":\"" + id + "\",\"pk\":\"" + "k".repeat(2048) + "\"}")
        .expect(201);
    server
        .post(DOCS, "{\"id\":\"" + id + "\",\"pk\":\"" + "k".repeat(2049) + "\"}")
        .expect(400);
    server
        .post("/dbs/d/colls/v1/docs", "{\"id\":\"" + id + "\",\"pk\":\"" + "k".repeat(101) + "\"}")
        .expect(201);
    server
        .post("/dbs/d/colls/v1/docs", "{\"id\":\"" + id + "\",\"pk\":\"" + "k".repeat(102) + "\"}")
        .expect(400);
  }

  @Test
  void aKeyInEscapesMayBeALongHeader() {
    String escaped = "\\u00fc".repeat(1024);
    server
        .post(DOCS, "{\"id\":\"" + id + "\",\"pk\":\"" + "ü".repeat(1024) + "\"}")
        .key("[\"" + escaped + "\"]")
        .expect(201);
  }

  @Test
  void aRecreatedContainerIsNoticed() {
    Answer refused =
        on("GET").header("x-ms-cosmos-intended-collection-rid", "EAAAAYAAAP8=").expect(400);
    assertThat(refused.substatus()).isEqualTo("1024");
    String rid = server.get("/dbs/d/colls/c").expect(200).json().get("_rid").asText();
    on("GET").header("x-ms-cosmos-intended-collection-rid", rid).expect(404);
  }

  @Test
  void aContainerThatGoesWhileARequestRunsIsLookedUpAgain() {
    server.partita.items.next(new ItemAnswer.ContainerGone());
    create("").expect(201);
    for (int i = 0; i < 3; i++) {
      server.partita.items.next(new ItemAnswer.ContainerGone());
    }
    assertThat(on("GET").expect(404).substatus()).isEqualTo("1003");
    on("GET").expect(200);
  }

  @Test
  void ownersThatAreMissingHaveTheirSubstatus() {
    assertThat(server.get("/dbs/d/colls/none/docs/x").key("[1]").expect(404).substatus())
        .isEqualTo("1003");
    assertThat(server.get("/dbs/none/colls/c/docs/x").key("[1]").expect(404).substatus())
        .isEqualTo("1003");
    assertThat(server.get("/dbs/none/colls/c").expect(404).substatus()).isEqualTo("1003");
    assertThat(server.get("/dbs/d/colls/none").expect(404).substatus()).isEqualTo("0");
  }

  @Test
  void aSessionThatIsAheadIsToldSo() {
    create("").expect(201);
    Answer behind =
        on("GET").header("x-ms-session-token", "0:-1#999999,1:-1#999999").expect(404);
    assertThat(behind.substatus()).isEqualTo("1002");
    on("GET").header("x-ms-session-token", "0:-1#1,1:-1#0#3=4").expect(200);
    on("GET").header("x-ms-session-token", "nonsense").expect(400);
    on("GET")
        .header("x-ms-session-token", "0:-1#999999,1:-1#999999")
        .header("x-ms-consistency-level", "Eventual")
        .expect(200);
  }

  @Test
  void levelsMayOnlyBeWeakened() {
    create("").expect(201);
    for (String level : new String[] {"Session", "ConsistentPrefix", "Eventual"}) {
      on("GET").header("x-ms-consistency-level", level).expect(200);
    }
    for (String level : new String[] {"Strong", "BoundedStaleness", "session", "x"}) {
      on("GET").header("x-ms-consistency-level", level).expect(400);
      on("DELETE").header("x-ms-consistency-level", level).expect(400);
    }
    on("GET").header("x-ms-cosmos-read-consistency-strategy", "LatestCommitted").expect(200);
    on("GET").header("x-ms-cosmos-read-consistency-strategy", "GlobalStrong").expect(400);
  }

  @Test
  void outcomesOfTheRuntimeHaveTheirStatus() {
    server.partita.items.next(new ItemAnswer.TooManyRequests(Duration.ofMillis(12), "over budget"));
    Answer busy = create("").expect(429);
    assertThat(busy.substatus()).isEqualTo("3200");
    assertThat(busy.header("x-ms-retry-after-ms")).isEqualTo("12");
    server.partita.items.next(new ItemAnswer.Unavailable("no write quorum"));
    assertThat(create("").expect(503).text()).contains("no write quorum");
    server.partita.items.next(new ItemAnswer.OutcomeUnknown("the primary is gone"));
    assertThat(create("").expect(408).json().get("code").asText()).isEqualTo("RequestTimeout");
    server.partita.items.next(
        new ItemAnswer.SessionNotReached(new Served(3, new Lsn(4), new Lsn(4), Lsn.ZERO, 1)));
    Answer behind = on("GET").expect(404);
    assertThat(behind.header("x-ms-session-token")).isEqualTo("3:-1#4");
  }
}
