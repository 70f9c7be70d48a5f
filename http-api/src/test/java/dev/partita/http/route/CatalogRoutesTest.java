package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.TestServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CatalogRoutesTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
    server.createContainer(1);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Call colls(String definition) {
    return server.post("/dbs/d/colls", definition);
  }

  private static String definition(String id, String rest) {
    return "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"]}" + rest + "}";
  }

  @Test
  void u23TheAccountNamesTheEndpointThatTheClientUsed() {
    for (String host : List.of("localhost", "127.0.0.1")) {
      JsonNode account = server.get("/").expect(200).json();
      assertThat(account.at("/writableLocations/0/databaseAccountEndpoint").asText())
          .isEqualTo("http://127.0.0.1:" + server.port() + "/");
      assertThat(account.at("/userConsistencyPolicy/defaultConsistencyLevel").asText())
          .isEqualTo("Session");
      assertThat(host).isNotEmpty();
    }
  }

  /** The second segment of {@code dbs/{rid}/colls/{rid}/}. */
  private static String databaseRid(JsonNode container) {
    String self = container.get("_self").asText();
    return self.substring(4, self.indexOf('/', 4));
  }

  @Test
  void databasesComeAndGo() {
    Answer made = server.post("/dbs", "{\"id\":\"x y\"}").expect(201);
    String rid = made.json().get("_rid").asText();
    assertThat(made.header("etag")).isEqualTo(made.json().get("_etag").asText());
    assertThat(made.json().get("_self").asText()).isEqualTo("dbs/" + rid + "/");
    assertThat(server.get("/dbs/x%20y").expect(200).json()).isEqualTo(made.json());
    assertThat(byRid("GET", "/dbs/" + rid, "dbs", rid).expect(200).json()).isEqualTo(made.json());
    assertThat(server
            .post("/dbs", "{\"id\":\"x y\"}")
            .expect(409)
            .json()
            .get("code")
            .asText())
        .isEqualTo("Conflict");
    server.call("DELETE", "/dbs/x%20y").header("If-Match", "\"no\"").expect(412);
    server.call("DELETE", "/dbs/x%20y").expect(204);
    assertThat(server.get("/dbs/x%20y").expect(404).substatus()).isEqualTo("0");
  }

  private Call byRid(String method, String path, String type, String rid) {
    String date = Call.date(Instant.now());
    return server
        .call(method, path)
        .header("x-ms-date", date)
        .header(
            "authorization",
            Call.sign(method, type, rid.toLowerCase(Locale.ROOT), date, TestServer.KEYS.primary()));
  }

  @Test
  void u56TwentyCreateTheSameDatabase() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(20);
    try {
      Callable<Integer> create =
          () -> server.post("/dbs", "{\"id\":\"same\"}").send().status();
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> future : threads.invokeAll(Collections.nCopies(20, create))) {
        statuses.add(future.get());
      }
      assertThat(statuses)
          .containsOnly(201, 409)
          .filteredOn(status -> status == 201)
          .hasSize(1);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void listsArePaged() {
    for (String id : List.of("a", "b", "e")) {
      server.post("/dbs", "{\"id\":\"" + id + "\"}").expect(201);
    }
    List<String> seen = new ArrayList<>();
    String token = "";
    while (token != null) {
      Answer page = server
          .get("/dbs")
          .header("x-ms-max-item-count", "3")
          .header("x-ms-continuation", token)
          .expect(200);
      page.json()
          .get("Databases")
          .forEach(database -> seen.add(database.get("id").asText()));
      assertThat(page.header("x-ms-item-count"))
          .isEqualTo(page.json().get("_count").asText());
      token = page.header("x-ms-continuation");
    }
    assertThat(seen).containsExactly("a", "b", "d", "e");
    assertThat(server
            .get("/dbs")
            .header("x-ms-max-item-count", "-1")
            .expect(200)
            .json()
            .get("_count")
            .asInt())
        .isEqualTo(4);
    assertThat(server
            .get("/dbs/d/colls")
            .expect(200)
            .json()
            .at("/DocumentCollections/0/id")
            .asText())
        .isEqualTo("c");
    assertThat(server
            .post("/dbs", "{\"query\":\"SELECT * FROM root r\"}")
            .header("x-ms-documentdb-isquery", "true")
            .expect(200)
            .json()
            .get("_count")
            .asInt())
        .isEqualTo(4);
    server
        .post("/dbs/d/colls", "{\"query\":\"SELECT * FROM c WHERE c.id = 1\"}")
        .header("x-ms-documentdb-isquery", "true")
        .expect(400);
  }

  @Test
  void aContainerIsReturnedWithAllItsPolicies() {
    String policies =
        ",\"indexingPolicy\":{\"automatic\":true,\"indexingMode\":\"Consistent\",\"includedPaths\":[{\"path\":\"/*\"}],"
            + "\"excludedPaths\":[{\"path\":\"/x/?\"}],\"compositeIndexes\":[[{\"path\":\"/a\",\"order\":\"ascending\"},{\"path\":\"/b\",\"order\":\"descending\"}]]},"
            + "\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/a\",\"/b/c\"]}]},\"defaultTtl\":-1,"
            + "\"changeFeedPolicy\":{\"retentionDuration\":0},\"computedProperties\":[],\"unknown\":{\"kept\":1.5}";
    Answer made = colls(definition("all", policies)).expect(201);
    JsonNode json = made.json();
    assertThat(json.at("/indexingPolicy/indexingMode").asText()).isEqualTo("consistent");
    assertThat(json.at("/partitionKey/kind").asText()).isEqualTo("Hash");
    assertThat(json.at("/partitionKey").has("version")).isFalse();
    assertThat(json.at("/conflictResolutionPolicy/mode").asText()).isEqualTo("LastWriterWins");
    assertThat(json.at("/geospatialConfig/type").asText()).isEqualTo("Geography");
    assertThat(json.at("/unknown/kept").asDouble()).isEqualTo(1.5);
    assertThat(json.at("/defaultTtl").asInt()).isEqualTo(-1);
    assertThat(json.at("/uniqueKeyPolicy/uniqueKeys/0/paths/1").asText()).isEqualTo("/b/c");
    assertThat(made.header("x-ms-alt-content-path")).isEqualTo("dbs/d");
    assertThat(made.header("x-ms-content-path")).isEqualTo(databaseRid(json));
    assertThat(server.get("/dbs/d/colls/all").expect(200).json()).isEqualTo(json);
  }

  @Test
  void theJavaSdksVersionBecomesANumber() {
    JsonNode json = colls(
            "{\"id\":\"v\",\"partitionKey\":{\"kind\":\"Hash\",\"paths\":[\"/pk\"],\"version\":\"V2\"},\"uniqueKeyPolicy\":{}}")
        .expect(201)
        .json();
    assertThat(json.at("/partitionKey/version").isInt()).isTrue();
    assertThat(json.at("/uniqueKeyPolicy/uniqueKeys").isArray()).isTrue();
  }

  @Test
  void u48AHierarchicalKeyHasOneToThreePaths() {
    String two =
        "{\"id\":\"m\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\"],\"kind\":\"MultiHash\",\"version\":2}}";
    JsonNode made = colls(two).expect(201).json();
    assertThat(made.at("/partitionKey").toString())
        .isEqualTo("{\"paths\":[\"/a\",\"/b\"],\"kind\":\"MultiHash\",\"version\":2}");
    assertThat(server.get("/dbs/d/colls/m").expect(200).json()).isEqualTo(made);
    colls(
            "{\"id\":\"n\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\",\"/c\",\"/d\"],\"kind\":\"MultiHash\",\"version\":2}}")
        .expect(400);
  }

  @Test
  void aReplacementKeepsWhatItMay() {
    JsonNode present = colls(
            definition("r", ",\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/u\"]}]}"))
        .expect(201)
        .json();
    String path = "/dbs/d/colls/r";
    JsonNode replaced = server
        .call("PUT", path)
        .body(present
            .toString()
            .replace("\"geospatialConfig\"", "\"defaultTtl\":5,\"geospatialConfig\""))
        .expect(200)
        .json();
    assertThat(replaced.get("defaultTtl").asInt()).isEqualTo(5);
    assertThat(replaced.get("_etag")).isNotEqualTo(present.get("_etag"));
    JsonNode short_ =
        server.call("PUT", path).body(definition("r", "")).expect(200).json();
    assertThat(short_.at("/uniqueKeyPolicy/uniqueKeys/0/paths/0").asText()).isEqualTo("/u");
    String rid = present.get("_rid").asText();
    byRid("PUT", "/dbs/" + databaseRid(present) + "/colls/" + rid, "colls", rid)
        .body(definition("r", ""))
        .expect(200);
    server
        .call("PUT", path)
        .body(definition("r", ""))
        .header("If-Match", "\"old\"")
        .expect(412);
    server
        .call("PUT", path)
        .body("{\"id\":\"r\",\"partitionKey\":{\"paths\":[\"/other\"]}}")
        .expect(400);
    server.call("PUT", path).body(definition("s", "")).expect(400);
    server
        .call("PUT", path)
        .body(definition("r", ",\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[\"/v\"]}]}"))
        .expect(400);
  }

  @Test
  void pkrangesAnswer304ForTheirEtag() {
    server.partita.catalog.split("d", "c", 0, "2000");
    JsonNode container = server.get("/dbs/d/colls/c").expect(200).json();
    String path = "/" + container.get("_self").asText() + "pkranges";
    String rid = container.get("_rid").asText();
    Answer first = byRid("GET", path, "pkranges", rid)
        .header("A-IM", "Incremental Feed")
        .header("x-ms-max-item-count", "-1")
        .expect(200);
    JsonNode ranges = first.json().get("PartitionKeyRanges");
    assertThat(ranges).hasSize(2);
    assertThat(ranges.get(0).get("parents").get(0).asText()).isEqualTo("0");
    assertThat(ranges.get(0).get("minInclusive").asText()).isEmpty();
    assertThat(ranges.get(0).get("maxExclusive")).isEqualTo(ranges.get(1).get("minInclusive"));
    assertThat(ranges.get(1).get("maxExclusive").asText()).isEqualTo("FF");
    Answer again = byRid("GET", path, "pkranges", rid)
        .header("If-None-Match", first.header("etag"))
        .expect(304);
    assertThat(again.bytes()).isEmpty();
    assertThat(again.header("etag")).isEqualTo(first.header("etag"));
    byRid("GET", path, "pkranges", rid).header("If-None-Match", "\"0-0\"").expect(200);
  }

  @Test
  void throughputHasItsSteps() {
    colls(definition("t1", "")).header("x-ms-offer-throughput", "500").expect(201);
    colls(definition("t2", ""))
        .header("x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000}")
        .expect(201);
    assertThat(server
            .partita
            .catalog
            .container("d", "t2")
            .join()
            .orElseThrow()
            .throughput()
            .orElseThrow()
            .autoscale())
        .isTrue();
  }

  @Test
  void quotaIsShownWhenAskedFor() {
    assertThat(server
            .get("/dbs/d/colls/c")
            .header("x-ms-documentdb-populatequotainfo", "true")
            .expect(200)
            .header("x-ms-resource-quota"))
        .contains("documentsCount=");
  }

  @Test
  void deletedContainersAreGone() {
    server.call("DELETE", "/dbs/d/colls/c").header("If-Match", "\"no\"").expect(412);
    server.call("DELETE", "/dbs/d/colls/c").expect(204);
    server.get("/dbs/d/colls/c").expect(404);
    server.call("DELETE", "/dbs/d/colls/c").expect(404);
  }
}
