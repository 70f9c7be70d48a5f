package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.RawClient;
import dev.partita.http.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients get wrong: each row has its 4xx and code, and the server goes on as if nothing had been. */
class BadInputTest {
  private static final String DOCS = "/dbs/d/colls/c/docs";
  private static final String PK = "x-ms-documentdb-partitionkey";
  private static final String KEY = TestServer.KEYS.primary();
  private static TestServer server;

  /** A request, signed as it stands unless it brings its own authorization, and the answer it must get. */
  private static final class Row {
    final String method;
    final String target;
    final Map<String, String> headers = new LinkedHashMap<>();
    byte[] body = new byte[0];
    boolean signed = true;
    int status = 400;
    String substatus = "0";
    String code = "BadRequest";
    String why;

    Row(String method, String target, String why) {
      this.method = method;
      this.target = target;
      this.why = why;
    }

    Row header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    Row body(String text) {
      return body(text.getBytes(StandardCharsets.UTF_8));
    }

    Row body(byte[] bytes) {
      body = bytes;
      return this;
    }

    Row unsigned() {
      signed = false;
      return this;
    }

    Row is(int status, String code) {
      return is(status, "0", code);
    }

    Row is(int status, String substatus, String code) {
      this.status = status;
      this.substatus = substatus;
      this.code = code;
      return this;
    }

    @Override
    public String toString() {
      return why + " -> " + status;
    }
  }

  private static Row item(String why, String body) {
    return new Row("POST", DOCS, "item: " + why).header(PK, "[\"p\"]").body(body);
  }

  private static Row container(String why, String rest) {
    return new Row("POST", "/dbs/d/colls", "container: " + why)
        .body("{\"id\":\"bad\",\"partitionKey\":{\"paths\":[\"/pk\"]}" + rest + "}");
  }

  private static Row key(String why, String partitionKey) {
    return new Row("POST", "/dbs/d/colls", "container: " + why)
        .body("{\"id\":\"bad\",\"partitionKey\":" + partitionKey + "}");
  }

  private static Row read(String why) {
    return new Row("GET", DOCS + "/present", why).header(PK, "[\"p\"]");
  }

  static List<Row> rows() {
    var rows = new ArrayList<Row>();
    bodies(rows);
    paths(rows);
    headers(rows);
    signatures(rows);
    definitions(rows);
    absent(rows);
    assertThat(rows).hasSizeGreaterThanOrEqualTo(120);
    return rows;
  }

  private static void bodies(List<Row> rows) {
    rows.add(item("no body", ""));
    rows.add(item("blank body", "   "));
    rows.add(item("cut off", "{\"id\":\"x\",\"pk\":\"p\""));
    rows.add(item("an array", "[{\"id\":\"x\"}]"));
    rows.add(item("a string", "\"x\""));
    rows.add(item("a number", "1"));
    rows.add(item("no id", "{\"pk\":\"p\"}"));
    rows.add(item("id is a number", "{\"id\":1,\"pk\":\"p\"}"));
    rows.add(item("id is null", "{\"id\":null,\"pk\":\"p\"}"));
    rows.add(item("id is empty", "{\"id\":\"\",\"pk\":\"p\"}"));
    rows.add(item("id has a slash", "{\"id\":\"a/b\",\"pk\":\"p\"}"));
    rows.add(item("id has a backslash", "{\"id\":\"a\\\\b\",\"pk\":\"p\"}"));
    rows.add(item("id has a hash", "{\"id\":\"a#b\",\"pk\":\"p\"}"));
    rows.add(item("id ends with a space", "{\"id\":\"a \",\"pk\":\"p\"}"));
    rows.add(item("id too long", "{\"id\":\"" + "i".repeat(1_024) + "\",\"pk\":\"p\"}"));
    rows.add(item("id twice", "{\"id\":\"a\",\"id\":\"b\",\"pk\":\"p\"}"));
    rows.add(item("key twice", "{\"id\":\"a\",\"pk\":\"p\",\"pk\":\"q\"}"));
    rows.add(item("another key than the header's", "{\"id\":\"a\",\"pk\":\"q\"}")
        .is(400, "1001", "BadRequest"));
    rows.add(item("a number for the text of the header", "{\"id\":\"a\",\"pk\":1}")
        .is(400, "1001", "BadRequest"));
    rows.add(
        item("no key where the header has one", "{\"id\":\"a\"}").is(400, "1001", "BadRequest"));
    rows.add(item("something behind", "{\"id\":\"a\",\"pk\":\"p\"} x"));
    rows.add(item("two items", "{\"id\":\"a\",\"pk\":\"p\"}{}"));
    rows.add(item("a comma too many", "{\"id\":\"a\",\"pk\":\"p\",}"));
    rows.add(item("single quotes", "{'id':'a'}"));
    rows.add(item("NaN", "{\"id\":\"a\",\"pk\":\"p\",\"n\":NaN}"));
    rows.add(item("Infinity", "{\"id\":\"a\",\"pk\":\"p\",\"n\":-Infinity}"));
    rows.add(item("a leading zero", "{\"id\":\"a\",\"pk\":\"p\",\"n\":01}"));
    rows.add(item("a raw control character", "{\"id\":\"a\",\"pk\":\"p\",\"n\":\"\n\"}"));
    rows.add(item("a comment", "{\"id\":\"a\",\"pk\":\"p\"/*x*/}"));
    rows.add(item(
        "too deep", "{\"id\":\"a\",\"pk\":\"p\",\"n\":" + "[".repeat(128) + "]".repeat(128) + "}"));
    rows.add(item("far too deep", "{\"id\":\"a\",\"pk\":\"p\",\"n\":" + "[".repeat(500_000)));
    rows.add(item("not UTF-8", "").body(new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'}));
    rows.add(item("overlong UTF-8", "")
        .body(new byte[] {'{', '"', (byte) 0xC0, (byte) 0x80, '"', ':', '1', '}'}));
    rows.add(item("a byte order mark", "\uFEFF{\"id\":\"a\",\"pk\":\"p\"}"));
    rows.add(
        item("UTF-16", "").body("{\"id\":\"a\",\"pk\":\"p\"}".getBytes(StandardCharsets.UTF_16LE)));
    rows.add(item("zero bytes", "").body(new byte[64]));
    rows.add(item(
            "too large",
            "{\"id\":\"a\",\"pk\":\"p\",\"t\":\"" + "x".repeat(Settings.BODY_BYTES_MAX) + "\"}")
        .is(413, "RequestEntityTooLarge"));
    rows.add(item(
            "of another partition key too long",
            "{\"id\":\"a\",\"pk\":\"" + "k".repeat(2_049) + "\"}")
        .header(PK, ""));
    rows.add(item("a duplicate", "{\"id\":\"present\",\"pk\":\"p\"}").is(409, "Conflict"));
    rows.add(new Row("PUT", DOCS + "/present", "item: another id in the body")
        .body("{\"id\":\"b\",\"pk\":\"p\"}"));
    rows.add(new Row("PUT", DOCS + "/none", "item: replaced but absent")
        .body("{\"id\":\"none\",\"pk\":\"p\"}")
        .is(404, "NotFound"));
    rows.add(new Row("POST", "/dbs", "database: no body"));
    rows.add(new Row("POST", "/dbs", "database: not JSON").body("{"));
    rows.add(new Row("POST", "/dbs", "database: no id").body("{}"));
    rows.add(new Row("POST", "/dbs", "database: id is a number").body("{\"id\":5}"));
    rows.add(new Row("POST", "/dbs", "database: deep").body("{\"id\":" + "[".repeat(100_000)));
    rows.add(
        new Row("POST", "/dbs", "database: present").body("{\"id\":\"d\"}").is(409, "Conflict"));
    for (String id : List.of(
        "", "a/b", "a\\\\b", "a?b", "a#b", "a ", "abcdef==", "EE4UAYAAAAE=", "i".repeat(256))) {
      rows.add(new Row(
              "POST",
              "/dbs",
              "database: called '" + (id.length() > 9 ? id.substring(0, 9) : id) + "'")
          .body("{\"id\":\"" + id + "\"}"));
    }
    rows.add(query("not JSON", "SELECT * FROM c"));
    rows.add(query("no text", "{}"));
    rows.add(query("text is a number", "{\"query\":1}"));
    rows.add(query("no SQL", "{\"query\":\"SELEC\"}"));
    rows.add(query("a filter", "{\"query\":\"SELECT * FROM c WHERE c.x=1\"}"));
    rows.add(query("parameters are no array", "{\"query\":\"SELECT * FROM c\",\"parameters\":1}"));
    rows.add(query("the plan of an aggregate", "{\"query\":\"SELECT VALUE COUNT(1) FROM c\"}")
        .header("x-ms-cosmos-is-query-plan-request", "True"));
  }

  private static Row query(String why, String body) {
    return new Row("POST", DOCS, "query: " + why)
        .header("x-ms-documentdb-isquery", "true")
        .body(body);
  }

  private static void paths(List<Row> rows) {
    rows.add(new Row("GET", "/dbs/%zz", "path: no hexadecimal"));
    rows.add(new Row("GET", "/dbs/%4", "path: half an escape"));
    rows.add(new Row("GET", "/dbs/%", "path: a lone percent sign"));
    rows.add(new Row("GET", "/dbs/%FF", "path: not UTF-8").unsigned());
    rows.add(new Row("GET", "/dbs/%C0%AF", "path: overlong UTF-8").unsigned());
    rows.add(new Row("GET", "/dbs/\u00e9", "path: not escaped").unsigned());
    rows.add(new Row("GET", "/" + "a/".repeat(40), "path: many segments").unsigned());
    rows.add(new Row("GET", "/nothing", "path: unknown").is(404, "NotFound"));
    rows.add(new Row("GET", "/dbs/d/else", "path: unknown below a database").is(404, "NotFound"));
    rows.add(new Row("GET", DOCS + "/a/b", "path: below an item").is(404, "NotFound"));
    rows.add(new Row("GET", "/dbs//colls", "path: an empty name").is(404, "1003", "NotFound"));
    rows.add(new Row("GET", "/dbs/none", "no database").is(404, "NotFound"));
    rows.add(
        new Row("GET", "/dbs/none/colls", "no owner of containers").is(404, "1003", "NotFound"));
    rows.add(new Row("GET", "/dbs/d/colls/none", "no container").is(404, "NotFound"));
    rows.add(new Row("DELETE", "/dbs/d/colls/none", "no container to delete").is(404, "NotFound"));
    rows.add(
        new Row("GET", "/dbs/d/colls/none/docs", "no owner of items").is(404, "1003", "NotFound"));
    rows.add(new Row("GET", "/dbs/d/colls/none/pkranges", "no owner of ranges")
        .is(404, "1003", "NotFound"));
    rows.add(new Row("GET", DOCS + "/none", "no item").header(PK, "[\"p\"]").is(404, "NotFound"));
    rows.add(new Row("DELETE", DOCS + "/none", "no item to delete")
        .header(PK, "[\"p\"]")
        .is(404, "NotFound"));
    rows.add(new Row("GET", DOCS + "/a%2Fb", "an id with a slash").header(PK, "[\"p\"]"));
    rows.add(new Row("GET", DOCS + "/a%23b", "an id with a hash").header(PK, "[\"p\"]"));
    rows.add(
        new Row("GET", DOCS + "/" + "i".repeat(1_024), "an id too long").header(PK, "[\"p\"]"));
    rows.add(new Row("GET", "/dbs/" + "x".repeat(20_000), "path: too long")
        .unsigned()
        .is(414, "BadRequest"));
    for (String[] wrong : new String[][] {
      {"DELETE", "/"},
      {"PUT", "/dbs"},
      {"POST", "/dbs/d"},
      {"DELETE", "/dbs/d/colls"},
      {"POST", "/dbs/d/colls/c"},
      {"PUT", DOCS},
      {"POST", DOCS + "/present"},
      {"POST", "/dbs/d/colls/c/pkranges"},
      {"OPTIONS", "/dbs"},
      {"POST", "/_partita/health"},
      {"HEAD", "/dbs"}
    }) {
      rows.add(new Row(wrong[0], wrong[1], wrong[0] + " " + wrong[1]).is(405, "MethodNotAllowed"));
    }
    rows.add(new Row("BREW", "/dbs", "an unknown verb").unsigned().is(405, "MethodNotAllowed"));
  }

  private static void headers(List<Row> rows) {
    rows.add(new Row("GET", DOCS + "/present", "no partition key"));
    rows.add(new Row("DELETE", DOCS + "/present", "no partition key to delete"));
    rows.add(read("empty partition key").header(PK, ""));
    for (String bad : List.of(
        "p",
        "\"p\"",
        "[\"p\"",
        "[\"p\",\"q\"]",
        "{}",
        "[{\"a\":1}]",
        "[1e999]",
        "[\"p\"] x",
        "[NaN]")) {
      rows.add(read("partition key " + bad).header(PK, bad));
    }
    rows.add(read("partition key too long").header(PK, "[\"" + "k".repeat(2_049) + "\"]"));
    rows.add(read("another container meant")
        .header("x-ms-cosmos-intended-collection-rid", "EAAAAYAAAP8=")
        .is(400, "1024", "BadRequest"));
    rows.add(read("stronger consistency").header("x-ms-consistency-level", "Strong"));
    rows.add(read("unknown consistency").header("x-ms-consistency-level", "Stronger"));
    rows.add(read("unknown strategy").header("x-ms-cosmos-read-consistency-strategy", "x"));
    rows.add(read("bad session token").header("x-ms-session-token", "0:12"));
    rows.add(read("session far ahead")
        .header("x-ms-session-token", "0:-1#99999999")
        .is(404, "1002", "NotFound"));
    rows.add(new Row("PUT", DOCS + "/present", "wrong If-Match")
        .header("If-Match", "nope")
        .body("{\"id\":\"present\",\"pk\":\"p\"}")
        .is(412, "PreconditionFailed"));
    rows.add(new Row("DELETE", DOCS + "/present", "wrong If-Match to delete")
        .header(PK, "[\"p\"]")
        .header("If-Match", "\"nope\"")
        .is(412, "PreconditionFailed"));
    rows.add(new Row("DELETE", "/dbs/d", "wrong If-Match for a database")
        .header("If-Match", "\"nope\"")
        .is(412, "PreconditionFailed"));
    for (String bad : List.of("0", "-2", "x", "1.5", "99999999999")) {
      rows.add(new Row("GET", DOCS, "page size " + bad).header("x-ms-max-item-count", bad));
    }
    for (String bad : List.of("x", "AAAA", "{\"token\":\"x\"}", "A".repeat(5_000))) {
      rows.add(new Row("GET", DOCS, "continuation " + bad.substring(0, Math.min(9, bad.length())))
          .header("x-ms-continuation", bad));
      rows.add(new Row("GET", "/dbs", "continuation of databases " + bad.length())
          .header("x-ms-continuation", bad));
    }
    rows.add(new Row("GET", DOCS, "no such range")
        .header("x-ms-documentdb-partitionkeyrangeid", "77")
        .is(410, "1002", "Gone"));
    rows.add(new Row("GET", DOCS, "range is no number")
        .header("x-ms-documentdb-partitionkeyrangeid", "x"));
    rows.add(
        new Row("GET", DOCS, "start of a range is no hexadecimal").header("x-ms-start-epk", "xyz"));
    rows.add(new Row("GET", DOCS, "an empty part of a range")
        .header("x-ms-start-epk", "20")
        .header("x-ms-end-epk", "10"));
    rows.add(new Row("GET", "/dbs", "a header too large")
        .header("x-big", "x".repeat(200_000))
        .is(431, "BadRequest"));
    rows.add(new Row("GET", "/dbs", "an illegal header name").header("x big", "x"));
    rows.add(new Row("GET", "/dbs", "a body length that is none").header("Content-Length", "x"));
    rows.add(new Row("GET", "/dbs", "an illegal host").header("Host", "a b"));
  }

  private static void signatures(List<Row> rows) {
    rows.add(new Row("GET", "/dbs", "no signature (U90)").unsigned().is(401, "Unauthorized"));
    rows.add(
        new Row("GET", "/", "no signature for the account").unsigned().is(401, "Unauthorized"));
    rows.add(
        new Row("GET", "/nothing", "no signature for nothing").unsigned().is(401, "Unauthorized"));
    rows.add(new Row("POST", DOCS, "no signature and a large body")
        .unsigned()
        .body(new byte[3_000_000])
        .is(401, "Unauthorized"));
    rows.add(new Row("GET", "/_partita/status", "no signature for the status")
        .unsigned()
        .is(401, "Unauthorized"));
    rows.add(new Row("GET", "/_partita/status", "a wrong key for the status")
        .header("x-partita-key", "bm8=")
        .unsigned()
        .is(401, "Unauthorized"));
    rows.add(new Row("GET", "/dbs", "a key where a signature is due")
        .header("x-partita-key", KEY)
        .unsigned()
        .is(401, "Unauthorized"));
    for (String bad : List.of(
        "x",
        "",
        "type%3Dmaster%26ver%3D1.0%26sig%3Dbm8%3D",
        "type%3Daad%26ver%3D1.0%26sig%3Dx",
        "Bearer x",
        "%zz")) {
      rows.add(new Row("GET", "/dbs", "authorization '" + bad + "'")
          .header("authorization", bad)
          .is(401, "Unauthorized"));
    }
    rows.add(new Row("GET", "/dbs", "a signature for another verb")
        .header("authorization", Call.signature("POST", "/dbs", Call.date(Instant.now()), KEY))
        .is(401, "Unauthorized"));
    rows.add(dated("no date", ""));
    rows.add(dated("not a date", "yesterday"));
    rows.add(dated("ISO date", Instant.now().toString()));
    rows.add(
        dated("old", Call.date(Instant.now().minus(Duration.ofMinutes(20)))).is(403, "Forbidden"));
    rows.add(
        dated("early", Call.date(Instant.now().plus(Duration.ofMinutes(20)))).is(403, "Forbidden"));
  }

  private static Row dated(String why, String date) {
    return new Row("GET", "/dbs", "date: " + why).header("x-ms-date", date).is(401, "Unauthorized");
  }

  private static void definitions(List<Row> rows) {
    rows.add(new Row("POST", "/dbs/none/colls", "container: no database")
        .body("{\"id\":\"x\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
        .is(404, "1003", "NotFound"));
    rows.add(new Row("POST", "/dbs/d/colls", "container: present")
        .body("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
        .is(409, "Conflict"));
    rows.add(new Row("POST", "/dbs/d/colls", "container: no id")
        .body("{\"partitionKey\":{\"paths\":[\"/pk\"]}}"));
    rows.add(new Row("POST", "/dbs/d/colls", "container: no key").body("{\"id\":\"bad\"}"));
    rows.add(key("key is text", "\"/pk\""));
    rows.add(key("no paths", "{}"));
    rows.add(key("empty paths", "{\"paths\":[]}"));
    rows.add(key("paths are numbers", "{\"paths\":[1]}"));
    rows.add(key("path without slash", "{\"paths\":[\"pk\"]}"));
    rows.add(key("path ends with slash", "{\"paths\":[\"/pk/\"]}"));
    rows.add(key("path with wildcard", "{\"paths\":[\"/pk/*\"]}"));
    rows.add(key("two paths of one hash", "{\"paths\":[\"/a\",\"/b\"]}"));
    rows.add(key(
        "four levels (U48)",
        "{\"kind\":\"MultiHash\",\"version\":2,\"paths\":[\"/a\",\"/b\",\"/c\",\"/d\"]}"));
    rows.add(key(
        "the same level twice",
        "{\"kind\":\"MultiHash\",\"version\":2,\"paths\":[\"/a\",\"/a\"]}"));
    rows.add(key(
        "levels of version 1", "{\"kind\":\"MultiHash\",\"version\":1,\"paths\":[\"/a\",\"/b\"]}"));
    rows.add(key("kind Range", "{\"kind\":\"Range\",\"paths\":[\"/a\"]}"));
    rows.add(key("version 3", "{\"version\":3,\"paths\":[\"/a\"]}"));
    rows.add(container("ttl 0", ",\"defaultTtl\":0"));
    rows.add(container("ttl -2", ",\"defaultTtl\":-2"));
    rows.add(container("ttl too long", ",\"defaultTtl\":2147483648"));
    rows.add(container("ttl is text", ",\"defaultTtl\":\"1\""));
    rows.add(container("indexing policy is text", ",\"indexingPolicy\":\"x\""));
    rows.add(container("unknown indexing mode", ",\"indexingPolicy\":{\"indexingMode\":\"x\"}"));
    rows.add(
        container("no root path", ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/a/?\"}]}"));
    rows.add(container(
        "index path without end",
        ",\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"},{\"path\":\"/a\"}]}"));
    rows.add(
        container("index path is no object", ",\"indexingPolicy\":{\"includedPaths\":[\"/*\"]}"));
    rows.add(container(
        "composite of one", ",\"indexingPolicy\":{\"compositeIndexes\":[[{\"path\":\"/a\"}]]}"));
    rows.add(
        container(
            "composite order",
            ",\"indexingPolicy\":{\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"x\"},{\"path\":\"/b\"}]]}"));
    rows.add(container("unique keys are no array", ",\"uniqueKeyPolicy\":{\"uniqueKeys\":{}}"));
    rows.add(container(
        "eleven unique keys",
        ",\"uniqueKeyPolicy\":{\"uniqueKeys\":[" + "{\"paths\":[\"/a\"]},".repeat(10)
            + "{\"paths\":[\"/a\"]}]}"));
    rows.add(container(
        "unique key of no path", ",\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[]}]}"));
    rows.add(container(
        "unique key path", ",\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"a\"]}]}"));
    rows.add(container("conflict mode", ",\"conflictResolutionPolicy\":{\"mode\":\"x\"}"));
    rows.add(container("geospatial type", ",\"geospatialConfig\":{\"type\":\"x\"}"));
    rows.add(container("a policy that is no object", ",\"changeFeedPolicy\":7"));
    rows.add(container("a member twice", ",\"id\":\"again\""));
    for (String units : List.of("300", "450", "x", "-400", "2000000")) {
      rows.add(container("throughput " + units, "").header("x-ms-offer-throughput", units));
    }
    for (String settings : List.of(
        "{}",
        "x",
        "{\"maxThroughput\":\"4000\"}",
        "{\"maxThroughput\":1500}",
        "{\"maxThroughput\":900}")) {
      rows.add(container("autoscale " + settings, "")
          .header("x-ms-cosmos-offer-autopilot-settings", settings));
    }
    rows.add(container("both throughputs", "")
        .header("x-ms-offer-throughput", "400")
        .header("x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000}"));
    rows.add(container("no physical partitions", "").header("x-partita-physical-partitions", "0"));
    rows.add(new Row("PUT", "/dbs/d/colls/c", "container: key changed")
        .body("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/other\"]}}"));
    rows.add(new Row("PUT", "/dbs/d/colls/c", "container: id changed")
        .body("{\"id\":\"e\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}"));
    rows.add(new Row("PUT", "/dbs/d/colls/none", "container: replaced but absent")
        .body("{\"id\":\"none\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
        .is(404, "NotFound"));
  }

  private static void absent(List<Row> rows) {
    rows.add(new Row("PATCH", DOCS + "/present", "patch").header(PK, "[\"p\"]").body("[]"));
    rows.add(new Row("POST", DOCS, "batch")
        .header("x-ms-cosmos-is-batch-request", "true")
        .body("[]"));
    rows.add(new Row("GET", DOCS, "change feed").header("A-IM", "Incremental Feed"));
    rows.add(new Row("POST", "/dbs/d/colls/c/sprocs", "stored procedures").body("{}"));
    rows.add(new Row("POST", "/dbs/d/colls/c/triggers", "triggers").body("{}"));
    rows.add(new Row("GET", "/dbs/d/colls/c/udfs", "user defined functions"));
    rows.add(new Row("GET", "/dbs/d/users", "users"));
    rows.add(new Row("POST", "/offers", "offers")
        .header("x-ms-documentdb-isquery", "true")
        .body("{}"));
    rows.add(new Row("GET", "//addresses/?$resolveFor=dbs", "direct mode (U65)").unsigned());
    rows.add(new Row("GET", "/addresses", "direct mode without a double slash").unsigned());
    rows.add(new Row("GET", "/_partita/nothing", "nothing of ours")
        .header("x-partita-key", KEY)
        .is(404, "NotFound"));
    rows.add(new Row("GET", "/_partita/certificate", "no certificate without HTTPS")
        .is(404, "NotFound"));
  }

  @BeforeAll
  static void start() {
    server = new TestServer();
    server.createContainer(1);
    server.post(DOCS, "{\"id\":\"present\",\"pk\":\"p\"}").expect(201);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer send(Row row) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    headers.put("x-ms-date", Call.date(Instant.now()));
    headers.putAll(row.headers);
    if (row.signed && !row.headers.containsKey("authorization")) {
      headers.put("authorization", signature(row, headers.get("x-ms-date")));
    }
    return RawClient.send(server.port(), row.method, row.target, headers, row.body);
  }

  private static String signature(Row row, String date) {
    String signable = row.target.replaceAll("%(zz|4|)$", "");
    return Call.signature(row.method, signable, date, KEY);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isRefusedWithItsCode(Row row) throws IOException {
    Answer answer = send(row);
    assertThat(answer.status()).as(answer.text()).isEqualTo(row.status);
    if (row.method.equals("HEAD")) {
      return; // An answer to HEAD has no body.
    }
    JsonNode body = answer.json();
    assertThat(body.get("code").asText()).isEqualTo(row.code);
    assertThat(body.get("message").asText()).hasSizeGreaterThan(10);
    assertThat(answer.header("content-type")).isEqualTo("application/json");
    if (answer.header("x-ms-activity-id") != null) {
      assertThat(answer.substatus()).isEqualTo(row.substatus);
    }
    server.call("GET", "/_partita/ready").unsigned().expect(200);
    server.get(DOCS + "/present").key("[\"p\"]").expect(200);
  }

  @Test
  void everyRequestCutAtEveryPlaceIsNoTrouble() throws IOException {
    String whole =
        "POST " + DOCS + " HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{\"id\":\"a\"";
    for (int length = 1; length < whole.length(); length += 3) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.getOutputStream().write(whole.substring(0, length).getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        socket.setSoTimeout(10_000);
        socket.getInputStream().readAllBytes();
      }
    }
    server.get(DOCS + "/present").key("[\"p\"]").expect(200);
  }
}
