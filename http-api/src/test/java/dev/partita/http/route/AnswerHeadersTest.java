package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.TestServer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** U88: which headers an answer carries, operation by operation. */
class AnswerHeadersTest {
  private static final String DOCS = "/dbs/d/colls/c/docs";
  private static final List<String> ALWAYS = List.of(
      "x-ms-activity-id",
      "x-ms-request-charge",
      "x-ms-request-duration-ms",
      "x-ms-version",
      "x-ms-serviceversion",
      "x-ms-gatewayversion");
  private static final List<String> SERVED = List.of(
      "x-ms-session-token",
      "lsn",
      "x-ms-global-committed-lsn",
      "x-ms-documentdb-partitionkeyrangeid",
      "x-ms-content-path",
      "x-ms-alt-content-path");
  private static TestServer server;

  private record Operation(
      String name, Function<TestServer, Call> call, int status, boolean served, List<String> more) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Operation op(
      String name, int status, boolean served, Function<TestServer, Call> call, String... more) {
    return new Operation(name, call, status, served, List.of(more));
  }

  /** In this order: the items that some of them need are made by those before them. */
  static Stream<Operation> operations() {
    String container = "{\"id\":\"e\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    String all = "{\"query\":\"SELECT * FROM c\"}";
    return Stream.of(
        op("account", 200, false, s -> s.get("/")),
        op("list databases", 200, false, s -> s.get("/dbs"), "x-ms-item-count"),
        op("read a database", 200, false, s -> s.get("/dbs/d"), "etag"),
        op("no database", 404, false, s -> s.get("/dbs/none"), "x-ms-substatus"),
        op(
            "list containers",
            200,
            false,
            s -> s.get("/dbs/d/colls"),
            "x-ms-item-count",
            "x-ms-content-path",
            "x-ms-alt-content-path"),
        op(
            "read a container",
            200,
            false,
            s -> s.get("/dbs/d/colls/c"),
            "etag",
            "x-ms-content-path",
            "x-ms-alt-content-path"),
        op(
            "create a container",
            201,
            false,
            s -> s.post("/dbs/d/colls", container),
            "etag",
            "x-ms-content-path",
            "x-ms-alt-content-path"),
        op(
            "delete a container",
            204,
            false,
            s -> s.call("DELETE", "/dbs/d/colls/e"),
            "x-ms-content-path"),
        op(
            "ranges",
            200,
            false,
            s -> s.get("/dbs/d/colls/c/pkranges"),
            "etag",
            "x-ms-item-count",
            "x-ms-content-path"),
        op(
            "create an item",
            201,
            true,
            s -> s.post(DOCS, "{\"id\":\"o\",\"pk\":\"p\"}"),
            "etag",
            "x-ms-item-lsn"),
        op(
            "create it again",
            409,
            true,
            s -> s.post(DOCS, "{\"id\":\"o\",\"pk\":\"p\"}"),
            "x-ms-substatus"),
        op(
            "upsert",
            200,
            true,
            s -> s.post(DOCS, "{\"id\":\"o\",\"pk\":\"p\"}")
                .header("x-ms-documentdb-is-upsert", "true"),
            "etag",
            "x-ms-item-lsn"),
        op("read", 200, true, s -> s.get(DOCS + "/o").key("[\"p\"]"), "etag", "x-ms-item-lsn"),
        op(
            "read what is not there",
            404,
            true,
            s -> s.get(DOCS + "/none").key("[\"p\"]"),
            "x-ms-substatus"),
        op(
            "read the same",
            304,
            true,
            s -> s.get(DOCS + "/o").key("[\"p\"]").header("If-None-Match", etag(s)),
            "etag"),
        op(
            "replace",
            200,
            true,
            s -> s.call("PUT", DOCS + "/o").body("{\"id\":\"o\",\"pk\":\"p\"}"),
            "etag",
            "x-ms-item-lsn"),
        op(
            "replace another version",
            412,
            true,
            s -> s.call("PUT", DOCS + "/o")
                .header("If-Match", "\"x\"")
                .body("{\"id\":\"o\",\"pk\":\"p\"}"),
            "x-ms-substatus"),
        op("list items", 200, true, s -> s.get(DOCS), "x-ms-item-count"),
        op(
            "query",
            200,
            true,
            s -> s.post(DOCS, all).header("x-ms-documentdb-isquery", "true"),
            "x-ms-item-count"),
        op(
            "query one key",
            200,
            true,
            s -> s.post(DOCS, all).key("[\"p\"]").header("x-ms-documentdb-isquery", "true"),
            "x-ms-item-count"),
        op(
            "query plan",
            200,
            false,
            s -> s.post(DOCS, all).header("x-ms-cosmos-is-query-plan-request", "true"),
            "x-ms-content-path"),
        op("delete", 204, true, s -> s.call("DELETE", DOCS + "/o").key("[\"p\"]")));
  }

  private static String etag(TestServer server) {
    return server.get(DOCS + "/o").key("[\"p\"]").expect(200).header("etag");
  }

  @BeforeAll
  static void start() {
    server = new TestServer();
    server.createContainer(3);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void u88EveryAnswerCarriesItsHeaders(Operation operation) {
    Answer answer = operation.call().apply(server).expect(operation.status());
    assertThat(answer.headers()).containsKeys(ALWAYS.toArray(String[]::new));
    assertThat(answer.headers().keySet()).containsAll(operation.more());
    assertThat(answer.headers().get("x-ms-activity-id")).hasSize(1);
    assertThat(Double.parseDouble(answer.header("x-ms-request-charge"))).isNotNegative();
    assertThat(Double.parseDouble(answer.header("x-ms-request-duration-ms"))).isNotNegative();
    assertThat(answer.headers()).doesNotContainKey("server");
    if (operation.served()) {
      assertThat(answer.headers()).containsKeys(SERVED.toArray(String[]::new));
      assertThat(answer.header("x-ms-session-token")).matches("\\d+:-1#\\d+");
      assertThat(answer.header("x-ms-session-token"))
          .startsWith(answer.header("x-ms-documentdb-partitionkeyrangeid") + ":")
          .endsWith("#" + answer.header("lsn"));
      assertThat(answer.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
      assertThat(Double.parseDouble(answer.header("x-ms-request-charge"))).isPositive();
    }
  }

  @Test
  void repeatsTheActivityIdOfTheClientWhenItIsOne() {
    String id = "b9f1c1f4-5a10-4b3f-9a51-8a31a3ce60f9";
    assertThat(
            server.get("/").header("x-ms-activity-id", id).expect(200).header("x-ms-activity-id"))
        .isEqualTo(id);
    for (String odd : List.of("a b", "x".repeat(65), "é")) {
      assertThat(server
              .get("/")
              .header("x-ms-activity-id", odd)
              .expect(200)
              .header("x-ms-activity-id"))
          .hasSize(36);
    }
  }
}
