package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.TestServer;
import dev.partita.runtime.api.PageAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FeedRouteTest {
  private static final String DOCS = "/dbs/d/colls/c/docs";
  private static final String ALL = "{\"query\":\"SELECT * FROM c\",\"parameters\":[]}";
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
    server.createContainer(4);
    for (int i = 0; i < 30; i++) {
      server.post(DOCS, "{\"id\":\"" + i + "\",\"pk\":\"k" + i % 10 + "\"}").expect(201);
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<String> everyPage(Supplier<Call> request, int size) {
    var ids = new ArrayList<String>();
    String token = "";
    while (token != null) {
      Answer page = request
          .get()
          .header("x-ms-max-item-count", Integer.toString(size))
          .header("x-ms-continuation", token)
          .expect(200);
      JsonNode documents = page.json().get("Documents");
      assertThat(documents.size()).isLessThanOrEqualTo(size);
      assertThat(page.json().get("_count").asInt()).isEqualTo(documents.size());
      assertThat(page.header("x-ms-item-count")).isEqualTo(Integer.toString(documents.size()));
      documents.forEach(document -> ids.add(document.get("id").asText()));
      token = page.header("x-ms-continuation");
      assertThat(token == null ? "" : token).hasSizeLessThan(1_024);
    }
    return ids;
  }

  private Call query() {
    return server
        .post(DOCS, ALL)
        .header("x-ms-documentdb-isquery", "true")
        .header("content-type", "application/query+json");
  }

  private static String[] numbers(int step, int from) {
    return IntStream.iterate(from, i -> i < 30, i -> i + step)
        .mapToObj(Integer::toString)
        .toArray(String[]::new);
  }

  @Test
  void theWholeContainerInPagesOfAnySize() {
    for (int size : new int[] {1, 4, 7, 30, 100}) {
      assertThat(everyPage(() -> server.get(DOCS), size)).containsExactlyInAnyOrder(numbers(1, 0));
      assertThat(everyPage(this::query, size)).containsExactlyInAnyOrder(numbers(1, 0));
    }
  }

  @Test
  void oneLogicalPartition() {
    assertThat(everyPage(() -> query().key("[\"k3\"]"), 2))
        .containsExactlyInAnyOrder("3", "13", "23");
    assertThat(everyPage(() -> server.get(DOCS).key("[\"none\"]"), 2)).isEmpty();
  }

  @Test
  void rangeByRange() {
    var ids = new ArrayList<String>();
    for (int range = 0; range < 4; range++) {
      String id = range % 2 == 0 ? Integer.toString(range) : "EAAAAYAAAAI=," + range;
      ids.addAll(everyPage(() -> query().header("x-ms-documentdb-partitionkeyrangeid", id), 3));
    }
    assertThat(ids).containsExactlyInAnyOrder(numbers(1, 0));
    assertThat(query()
            .header("x-ms-documentdb-partitionkeyrangeid", "99")
            .expect(410)
            .substatus())
        .isEqualTo("1002");
  }

  @Test
  void partsOfARange() {
    var ids = new ArrayList<String>();
    for (String[] part :
        new String[][] {{"", "08"}, {"08", "1000"}, {"10", "2000"}, {"20", "FF"}}) {
      ids.addAll(everyPage(
          () -> part[0].isEmpty()
              ? query().header("x-ms-end-epk", part[1])
              : query().header("x-ms-start-epk", part[0]).header("x-ms-end-epk", part[1]),
          5));
    }
    assertThat(ids).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void aSplitParentIsAnsweredByItsChildrenAndItsTokenGoesOn() {
    Call first = query()
        .header("x-ms-documentdb-partitionkeyrangeid", "1")
        .header("x-ms-max-item-count", "2");
    Answer page = first.expect(200);
    var before = everyPage(() -> query().header("x-ms-documentdb-partitionkeyrangeid", "1"), 100);
    String token = page.header("x-ms-continuation");
    assertThat(token).isNotNull();
    server.partita.catalog.split("d", "c", 1, "18000000000000000000000000000000");
    assertThat(everyPage(() -> query().header("x-ms-documentdb-partitionkeyrangeid", "1"), 3))
        .containsExactlyElementsOf(before);
    var rest = new ArrayList<String>();
    page.json().get("Documents").forEach(document -> rest.add(document.get("id").asText()));
    for (String child : List.of("4", "5")) {
      Answer on = query()
          .header("x-ms-documentdb-partitionkeyrangeid", child)
          .header("x-ms-continuation", token)
          .header("x-ms-max-item-count", "-1")
          .expect(200);
      on.json().get("Documents").forEach(document -> rest.add(document.get("id").asText()));
    }
    assertThat(rest).containsExactlyElementsOf(before);
  }

  @Test
  void tokensOfOthersAreRefused() {
    String token = query()
        .key("[\"k3\"]")
        .header("x-ms-max-item-count", "1")
        .expect(200)
        .header("x-ms-continuation");
    query().key("[\"k4\"]").header("x-ms-continuation", token).expect(400);
    query().header("x-ms-continuation", "{\"token\":\"x\"}").expect(400);
  }

  @Test
  void thePlanHasAllKeys() {
    for (Call call : List.of(
        server.post(DOCS, ALL).header("x-ms-cosmos-is-query-plan-request", "True"),
        query().header("x-ms-cosmos-is-query-plan-request", "True").key("[\"k3\"]"))) {
      JsonNode plan = call.expect(200).json();
      assertThat(plan.get("queryInfo").fieldNames())
          .toIterable()
          .contains(
              "distinctType",
              "top",
              "offset",
              "limit",
              "orderBy",
              "orderByExpressions",
              "groupByExpressions",
              "groupByAliases",
              "aggregates",
              "groupByAliasToAggregateType",
              "rewrittenQuery",
              "hasSelectValue",
              "dCountInfo",
              "hasNonStreamingOrderBy");
      assertThat(plan.at("/queryRanges/0/max").asText()).isEqualTo("FF");
    }
  }

  @Test
  void outcomesOfTheRuntimeHaveTheirStatus() {
    server.partita.items.next(new PageAnswer.TooManyRequests(Duration.ofMillis(7), "over budget"));
    Answer busy = query().expect(429);
    assertThat(busy.header("x-ms-retry-after-ms")).isEqualTo("7");
    server.partita.items.next(new PageAnswer.Unavailable("no replica"));
    query().expect(503);
    server.partita.items.next(new PageAnswer.ContainerGone());
    query().expect(200);
  }

  @Test
  void unsupportedThingsSaySo() {
    assertThat(server
            .post(DOCS, "{\"query\":\"SELECT VALUE COUNT(1) FROM c\"}")
            .header("x-ms-documentdb-isquery", "true")
            .expect(400)
            .text())
        .contains("SELECT * FROM c");
    server.get(DOCS).header("A-IM", "Incremental Feed").expect(400);
    server.post(DOCS, "[]").header("x-ms-cosmos-is-batch-request", "true").expect(400);
  }
}
