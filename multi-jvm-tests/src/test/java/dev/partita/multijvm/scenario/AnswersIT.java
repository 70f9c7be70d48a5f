package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Reply;
import dev.partita.http.cli.client.ResourceName;
import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.workload.Container;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Answers as they are on the wire. */
class AnswersIT {
  private static final byte[] NO_BODY = new byte[0];
  private static final int THREADS = 20;

  @RegisterExtension
  static final Nodes NODES = Nodes.ofTheClass();

  private static Node node;
  private static AccountClient client;
  private static Container items;

  @BeforeAll
  static void start() throws IOException {
    node = NODES.create().start();
    client = node.client();
    items = Container.create(client, "db", "c", 400);
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  /** An operation of the table of U88. */
  private record Operation(String name, int status, Kind kind, Request request) {}

  private interface Request {
    Reply send() throws IOException;
  }

  /** What an answer must carry. */
  private enum Kind {
    METADATA,
    METADATA_LIST,
    ITEM,
    ITEM_LIST
  }

  /** U88. */
  @Test
  void everyAnswerCarriesItsHeaders() throws IOException {
    var etag = Container.expect(items.create("h", item("first", "h")), 201)
        .header("etag")
        .orElseThrow();
    var db = ResourceName.database("db");
    var all = List.of(
        new Operation("read account", 200, Kind.METADATA, () -> send("GET", "", "", "/")),
        new Operation(
            "list databases", 200, Kind.METADATA_LIST, () -> send("GET", "dbs", "", "/dbs")),
        new Operation("read database", 200, Kind.METADATA, () -> client.get("dbs", db)),
        new Operation(
            "read missing database",
            404,
            Kind.METADATA,
            () -> client.get("dbs", ResourceName.database("no"))),
        new Operation("create existing database", 409, Kind.METADATA, () -> database("db")),
        new Operation(
            "list containers",
            200,
            Kind.METADATA_LIST,
            () -> send("GET", "colls", db.link(), "/dbs/db/colls")),
        new Operation(
            "read container", 200, Kind.METADATA, () -> client.get("colls", items.name())),
        new Operation(
            "read missing container",
            404,
            Kind.METADATA,
            () -> client.get("colls", db.container("no"))),
        new Operation(
            "list partition key ranges",
            200,
            Kind.METADATA_LIST,
            () -> send("GET", "pkranges", items.name().link(), items.name().path() + "/pkranges")),
        new Operation("create item", 201, Kind.ITEM, () -> items.create("h", item("1", "h"))),
        new Operation(
            "create existing item", 409, Kind.ITEM, () -> items.create("h", item("1", "h"))),
        new Operation("upsert new item", 201, Kind.ITEM, () -> items.upsert("h", item("2", "h"))),
        new Operation(
            "upsert existing item", 200, Kind.ITEM, () -> items.upsert("h", item("2", "h"))),
        new Operation("read item", 200, Kind.ITEM, () -> items.read("h", "1")),
        new Operation(
            "read item that is not modified",
            304,
            Kind.ITEM,
            () -> items.read("h", "first", "If-None-Match", etag)),
        new Operation("read missing item", 404, Kind.ITEM, () -> items.read("h", "no")),
        new Operation(
            "replace item", 200, Kind.ITEM, () -> items.replace("h", "1", "", item("1", "h"))),
        new Operation(
            "replace missing item",
            404,
            Kind.ITEM,
            () -> items.replace("h", "no", "", item("no", "h"))),
        new Operation(
            "replace with stale etag",
            412,
            Kind.ITEM,
            () -> items.replace("h", "1", etag, item("1", "h"))),
        new Operation("delete with stale etag", 412, Kind.ITEM, () -> items.delete("h", "1", etag)),
        new Operation(
            "list items of a key",
            200,
            Kind.ITEM_LIST,
            () -> client.send(
                "GET",
                "docs",
                items.name().link(),
                items.name().path() + "/docs",
                Map.of("x-ms-documentdb-partitionkey", "[\"h\"]"),
                NO_BODY)),
        new Operation("query items of a key", 200, Kind.ITEM_LIST, AnswersIT::query),
        new Operation("delete item", 204, Kind.ITEM, () -> items.delete("h", "1", "")),
        new Operation("delete missing item", 404, Kind.ITEM, () -> items.delete("h", "1", "")));
    assertThat(all).hasSizeGreaterThanOrEqualTo(20);
    var wrong = new ArrayList<String>();
    for (var operation : all) {
      wrong.addAll(check(operation));
    }
    assertThat(wrong).isEmpty();
  }

  private static List<String> check(Operation operation) throws IOException {
    var reply = operation.request().send();
    var patterns = new HashMap<>(Map.of(
        "x-ms-activity-id", "[0-9a-fA-F-]{36}",
        "x-ms-request-charge", "\\d+(\\.\\d+)?",
        "x-ms-request-duration-ms", "\\d+(\\.\\d+)?"));
    if (operation.kind() == Kind.ITEM || operation.kind() == Kind.ITEM_LIST) {
      patterns.put("x-ms-session-token", "\\d+:-?\\d+#\\d+.*");
      patterns.put("lsn", "\\d+");
    }
    if (operation.kind() == Kind.METADATA_LIST || operation.kind() == Kind.ITEM_LIST) {
      patterns.put("x-ms-item-count", "\\d+");
    }
    var wrong = new ArrayList<String>();
    if (reply.status() != operation.status()) {
      wrong.add(
          operation.name() + ": status " + reply.error() + " instead of " + operation.status());
    }
    patterns.forEach((name, pattern) -> {
      var value = reply.header(name).orElse("(absent)");
      if (!value.matches(pattern)) {
        wrong.add(operation.name() + ": " + name + " is " + value);
      }
    });
    if (reply.status() >= 400
        && (!reply.json().path("code").isTextual()
            || !reply.json().path("message").isTextual())) {
      wrong.add(operation.name() + ": the error has no code and message: " + reply.text());
    }
    if (operation.kind() == Kind.ITEM
        && Double.parseDouble(reply.header("x-ms-request-charge").orElse("0")) <= 0) {
      wrong.add(operation.name() + ": it cost nothing");
    }
    return wrong;
  }

  /** U45. */
  @Test
  void aDeleteWithAnotherEtagDeletesNothing() throws IOException {
    var etag = Container.expect(items.create("u45", item("1", "u45")), 201)
        .header("etag")
        .orElseThrow();
    Container.expect(items.delete("u45", "1", "\"nope\""), 412);
    Container.expect(items.read("u45", "1"), 200);
    Container.expect(items.delete("u45", "1", etag), 204);
    Container.expect(items.read("u45", "1"), 404);
  }

  /** U53. */
  @Test
  void notModifiedHasNoBodyAndCosts() throws IOException {
    var etag = Container.expect(items.create("u53", item("1", "u53")), 201)
        .header("etag")
        .orElseThrow();
    var reply = Container.expect(items.read("u53", "1", "If-None-Match", etag), 304);
    assertThat(reply.body()).isEmpty();
    assertThat(Double.parseDouble(reply.header("x-ms-request-charge").orElseThrow()))
        .isPositive();
    Container.expect(items.replace("u53", "1", "", item("1", "u53")), 200);
    assertThat(
            Container.expect(items.read("u53", "1", "If-None-Match", etag), 200).body())
        .isNotEmpty();
  }

  /** U60. */
  @Test
  void anEtagClashHasTheShapeThatSdksTurnIntoTheirException() throws IOException {
    Container.expect(items.create("u60", item("1", "u60")), 201);
    var reply = Container.expect(items.replace("u60", "1", "\"nope\"", item("1", "u60")), 412);
    assertThat(reply.header("x-ms-substatus").orElse("0")).isEqualTo("0");
    assertThat(reply.json().path("code").asText()).isEqualTo("PreconditionFailed");
    assertThat(reply.json().path("message").asText()).isNotBlank();
  }

  /** U56. */
  @Test
  void ofManyCreatesOfOneDatabaseOneSucceeds() throws Exception {
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var tasks = new ArrayList<Callable<Integer>>();
      for (int i = 0; i < THREADS; i++) {
        tasks.add(() -> {
          try (var own = node.client()) {
            return own.post("dbs", ResourceName.ACCOUNT, Map.of(), utf8("{\"id\":\"crowd\"}"))
                .status();
          }
        });
      }
      var statuses = new ArrayList<Integer>();
      for (var result : threads.invokeAll(tasks)) {
        statuses.add(result.get());
      }
      assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
    } finally {
      threads.shutdownNow();
    }
  }

  /** U90. */
  @Test
  void withoutASignatureThereIsAClear401AndProbesNeedNone() throws Exception {
    var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var dbs = http.send(request("dbs"), HttpResponse.BodyHandlers.ofString());
    assertThat(dbs.statusCode()).isEqualTo(401);
    assertThat(dbs.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    assertThat(dbs.body())
        .contains("\"code\":\"Unauthorized\"", "\"message\"")
        .doesNotContain("xception", "\tat ");
    for (var probe : List.of("_partita/health", "_partita/ready")) {
      assertThat(http.send(request(probe), HttpResponse.BodyHandlers.ofString()).statusCode())
          .as(probe)
          .isEqualTo(200);
    }
    assertThat(http.send(request("_partita/status"), HttpResponse.BodyHandlers.ofString())
            .statusCode())
        .isEqualTo(401);
  }

  private static HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(node.endpoint() + path)).build();
  }

  private static Reply send(String verb, String type, String link, String path) throws IOException {
    return client.send(verb, type, link, path, Map.of(), NO_BODY);
  }

  private static Reply database(String name) throws IOException {
    return client.post("dbs", ResourceName.ACCOUNT, Map.of(), utf8("{\"id\":\"" + name + "\"}"));
  }

  private static Reply query() throws IOException {
    var headers = Map.of(
        "x-ms-documentdb-partitionkey", "[\"h\"]",
        "x-ms-documentdb-isquery", "true",
        "Content-Type", "application/query+json");
    return client.post(
        "docs", items.name(), headers, utf8("{\"query\":\"SELECT * FROM c\",\"parameters\":[]}"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode item(String id, String key) {
    return JsonNodeFactory.instance.objectNode().put("id", id).put("pk", key);
  }
}
