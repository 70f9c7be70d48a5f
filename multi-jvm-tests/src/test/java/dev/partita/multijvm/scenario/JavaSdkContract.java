package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.multijvm.harness.Node;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the Java SDK, in gateway mode, does with a node: the operations of a plain application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JavaSdkContract {
  private static final int THREADS = 20;

  private CosmosClient client;
  private CosmosContainer orders;

  private Node node;

  /** Starts the node that the methods of the class share. */
  abstract Node start();

  /** Where the client finds it. */
  abstract URI endpoint(Node started);

  @BeforeAll
  void connect() {
    node = start();
    client = newClient().buildClient();
    orders = container("shop", "orders", PartitionKeyDefinitionVersion.V2);
  }

  @AfterAll
  void disconnect() {
    client.close();
  }

  private CosmosClientBuilder newClient() {
    return new CosmosClientBuilder()
        .endpoint(endpoint(node).toString())
        .key(node.key())
        .gatewayMode()
        .contentResponseOnWriteEnabled(true);
  }

  private CosmosContainer container(
      String database, String name, PartitionKeyDefinitionVersion version) {
    client.createDatabaseIfNotExists(database);
    var key = new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(version);
    client
        .getDatabase(database)
        .createContainerIfNotExists(new CosmosContainerProperties(name, key));
    return client.getDatabase(database).getContainer(name);
  }

  @Test
  void theLifeOfAnItem() {
    var key = new PartitionKey("life");
    var created = orders.createItem(item("1", "life", 1), key, null);
    assertThat(created.getStatusCode()).isEqualTo(201);
    assertThat(created.getItem().path("n").asInt()).isEqualTo(1);
    assertThat(created.getRequestCharge()).isPositive();
    assertThat(created.getSessionToken()).matches("\\d+:-?\\d+#\\d+.*");
    assertThat(created.getETag())
        .isEqualTo(created.getItem().path("_etag").asText())
        .startsWith("\"")
        .endsWith("\"");

    var read = orders.readItem("1", key, ObjectNode.class);
    assertThat(read.getStatusCode()).isEqualTo(200);
    assertThat(read.getItem()).isEqualTo(created.getItem());

    var replaced = orders.replaceItem(item("1", "life", 2), "1", key, null);
    assertThat(replaced.getStatusCode()).isEqualTo(200);
    assertThat(replaced.getETag()).isNotEqualTo(created.getETag());
    assertThat(replaced.getItem().path("_rid")).isEqualTo(created.getItem().path("_rid"));

    assertThat(orders.upsertItem(item("1", "life", 3), key, null).getStatusCode())
        .isEqualTo(200);
    assertThat(orders.upsertItem(item("2", "life", 1), key, null).getStatusCode())
        .isEqualTo(201);
    assertThat(orders.readItem("1", key, ObjectNode.class).getItem().path("n").asInt())
        .isEqualTo(3);

    assertThat(orders.deleteItem("1", key, null).getStatusCode()).isEqualTo(204);
    refused(404, 0, () -> orders.readItem("1", key, ObjectNode.class));
    assertThat(orders.createItem(item("1", "life", 4), key, null).getStatusCode())
        .isEqualTo(201);
  }

  @Test
  void withoutContentOnWriteTheEtagStillComes() {
    try (var quiet = newClient().contentResponseOnWriteEnabled(false).buildClient()) {
      var answer =
          quiet.getDatabase("shop").getContainer("orders").createItem(item("1", "quiet", 1));
      assertThat(answer.getStatusCode()).isEqualTo(201);
      assertThat(answer.getItem()).isNull();
      assertThat(answer.getETag()).isNotEmpty();
    }
  }

  @Test
  void whatIsMissingOrThereAlreadyIsAnException() {
    var key = new PartitionKey("errors");
    orders.createItem(item("1", "errors", 1), key, null);
    refused(409, 0, () -> orders.createItem(item("1", "errors", 2), key, null));
    refused(404, 0, () -> orders.replaceItem(item("9", "errors", 1), "9", key, null));
    refused(404, 0, () -> orders.deleteItem("9", key, null));
    refused(400, 1001, () -> orders.createItem(item("2", "other", 1), key, null));
    refused(404, 0, () -> client.getDatabase("none").read());
    refused(404, 0, () -> client.getDatabase("shop").getContainer("none").read());
    refused(409, 0, () -> client.createDatabase("shop"));
  }

  /** U45 and U60: an etag that is not the item's any more stops a write, with the exception that applications catch. */
  @Test
  void aStaleEtagStopsWrites() {
    var key = new PartitionKey("etags");
    var first = orders.createItem(item("1", "etags", 1), key, null);
    var stale = new CosmosItemRequestOptions().setIfMatchETag(first.getETag());
    var second = orders.replaceItem(item("1", "etags", 2), "1", key, stale);

    refused(412, 0, () -> orders.replaceItem(item("1", "etags", 3), "1", key, stale));
    refused(412, 0, () -> orders.upsertItem(item("1", "etags", 3), key, stale));
    refused(412, 0, () -> orders.deleteItem("1", key, stale));
    assertThat(orders.readItem("1", key, ObjectNode.class).getItem()).isEqualTo(second.getItem());

    var current = new CosmosItemRequestOptions().setIfMatchETag(second.getETag());
    assertThat(orders.deleteItem("1", key, current).getStatusCode()).isEqualTo(204);
  }

  /** U53. */
  @Test
  void readingWithTheCurrentEtagSaysNotModified() {
    var key = new PartitionKey("not modified");
    var created = orders.createItem(item("1", "not modified", 1), key, null);
    var known = new CosmosItemRequestOptions().setIfNoneMatchETag(created.getETag());
    var answer = orders.readItem("1", key, known, ObjectNode.class);
    assertThat(answer.getStatusCode()).isEqualTo(304);
    assertThat(answer.getRequestCharge()).isPositive();
    orders.replaceItem(item("1", "not modified", 2), "1", key, null);
    assertThat(orders.readItem("1", key, known, ObjectNode.class).getStatusCode())
        .isEqualTo(200);
  }

  /** The session cache of the SDK keys containers by a part of their resource ids. */
  @Test
  void equalContainerNamesInTwoDatabasesAreTwoContainers() {
    var a = container("left", "same", PartitionKeyDefinitionVersion.V2);
    var b = container("right", "same", PartitionKeyDefinitionVersion.V2);
    var key = new PartitionKey("k");
    for (int i = 0; i < 30; i++) {
      a.upsertItem(item("1", "k", i), key, null);
    }
    b.createItem(item("1", "k", 1_000), key, null);
    assertThat(a.readItem("1", key, ObjectNode.class).getItem().path("n").asInt())
        .isEqualTo(29);
    assertThat(b.readItem("1", key, ObjectNode.class).getItem().path("n").asInt())
        .isEqualTo(1_000);
  }

  static Stream<Arguments> keys() {
    var json = JsonNodeFactory.instance;
    return Stream.of(PartitionKeyDefinitionVersion.V1, PartitionKeyDefinitionVersion.V2)
        .flatMap(version -> Stream.of(
            Arguments.of(version, json.textNode("text"), new PartitionKey("text")),
            Arguments.of(version, json.textNode(""), new PartitionKey("")),
            Arguments.of(
                version,
                json.textNode("quote \" and \\ and\nline"),
                new PartitionKey("quote \" and \\ and\nline")),
            Arguments.of(
                version, json.textNode("ünï\uD83D\uDE00"), new PartitionKey("ünï\uD83D\uDE00")),
            Arguments.of(version, json.numberNode(12), new PartitionKey(12)),
            Arguments.of(version, json.numberNode(-0.5), new PartitionKey(-0.5)),
            Arguments.of(version, json.numberNode(1L << 53), new PartitionKey((double) (1L << 53))),
            Arguments.of(version, json.booleanNode(true), new PartitionKey(true)),
            Arguments.of(version, json.booleanNode(false), new PartitionKey(false)),
            Arguments.of(version, json.nullNode(), new PartitionKey(null)),
            Arguments.of(version, json.missingNode(), PartitionKey.NONE)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("keys")
  void everyTypeOfPartitionKey(
      PartitionKeyDefinitionVersion version, JsonNode value, PartitionKey key) {
    var container = container("keys", "of-" + version, version);
    var item = JsonNodeFactory.instance.objectNode().put("id", "1").put("n", 1);
    if (!value.isMissingNode()) {
      item.set("pk", value);
    }
    assertThat(container.createItem(item, key, null).getStatusCode()).isEqualTo(201);
    assertThat(container.readItem("1", key, ObjectNode.class).getItem().path("pk"))
        .isEqualTo(value.isMissingNode() ? item.path("pk") : value);
    assertThat(container.replaceItem(item.put("n", 2), "1", key, null).getStatusCode())
        .isEqualTo(200);
    assertThat(container.upsertItem(item.put("n", 3), key, null).getStatusCode())
        .isEqualTo(200);
    assertThat(
            container.readItem("1", key, ObjectNode.class).getItem().path("n").asInt())
        .isEqualTo(3);
    assertThat(container.deleteItem("1", key, null).getStatusCode()).isEqualTo(204);
    refused(404, 0, () -> container.readItem("1", key, ObjectNode.class));
  }

  @Test
  void longPartitionKeys() {
    var key = "k".repeat(2_000);
    orders.createItem(item("1", key, 1));
    assertThat(orders.readItem("1", new PartitionKey(key), ObjectNode.class).getStatusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with space",
        "100%",
        "%41",
        "%2F",
        "a+b",
        "a&b=c",
        "it's",
        "\uD83D\uDE00 emoji",
        "ümläut",
        "semi;colon",
        "dot.",
        "...",
        "(a)[b]{c}",
        "UPPER"
      })
  void everyId(String id) {
    var key = new PartitionKey("ids");
    assertThat(orders.createItem(item(id, "ids", 1), key, null).getStatusCode()).isEqualTo(201);
    assertThat(orders.readItem(id, key, ObjectNode.class).getItem().path("id").asText())
        .isEqualTo(id);
    assertThat(orders.replaceItem(item(id, "ids", 2), id, key, null).getStatusCode())
        .isEqualTo(200);
    assertThat(orders.deleteItem(id, key, null).getStatusCode()).isEqualTo(204);
  }

  @Test
  void theLongestId() {
    everyId("x".repeat(1_023));
    refused(400, 0, () -> orders.createItem(item("x".repeat(1_024), "ids", 1)));
  }

  @Test
  void aContainerKeepsItsDefinition() {
    var key = new PartitionKeyDefinition()
        .setPaths(List.of("/a/b"))
        .setVersion(PartitionKeyDefinitionVersion.V2);
    var properties =
        new CosmosContainerProperties("policies", key).setDefaultTimeToLiveInSeconds(3_600);
    client.createDatabaseIfNotExists("definitions");
    var database = client.getDatabase("definitions");
    assertThat(database
            .createContainer(properties, ThroughputProperties.createManualThroughput(500))
            .getStatusCode())
        .isEqualTo(201);
    var read = database.getContainer("policies").read().getProperties();
    assertThat(read.getPartitionKeyDefinition().getPaths()).containsExactly("/a/b");
    assertThat(read.getPartitionKeyDefinition().getVersion())
        .isEqualTo(PartitionKeyDefinitionVersion.V2);
    assertThat(read.getDefaultTimeToLiveInSeconds()).isEqualTo(3_600);
    assertThat(read.getIndexingPolicy().getIncludedPaths()).isNotEmpty();
    assertThat(database.getContainer("policies").delete().getStatusCode()).isEqualTo(204);
    assertThat(database.delete().getStatusCode()).isEqualTo(204);
  }

  @Test
  void aContainerMadeAnewIsEmptyForAClientThatKnewTheOld() {
    var container = container("again", "c", PartitionKeyDefinitionVersion.V2);
    var key = new PartitionKey("k");
    container.createItem(item("1", "k", 1), key, null);
    try (var other = newClient().buildClient()) {
      other.getDatabase("again").getContainer("c").delete();
      var definition = new PartitionKeyDefinition()
          .setPaths(List.of("/pk"))
          .setVersion(PartitionKeyDefinitionVersion.V2);
      other.getDatabase("again").createContainer(new CosmosContainerProperties("c", definition));
    }
    refused(404, 0, () -> container.readItem("1", key, ObjectNode.class));
    assertThat(container.createItem(item("1", "k", 2), key, null).getStatusCode())
        .isEqualTo(201);
  }

  /**
   * U56. The SDK looks first and then creates, so of those that saw nothing all but one are told 409: "exists", which the
   * second look confirms. Anything else, above all a 500, is wrong.
   */
  @Test
  void createIfNotExistsFromManyThreads() throws Exception {
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var tasks = new ArrayList<Callable<Integer>>();
      for (int i = 0; i < THREADS; i++) {
        tasks.add(() -> {
          int status =
              ifNotExists(() -> client.createDatabaseIfNotExists("crowd").getStatusCode());
          ifNotExists(() ->
              client.getDatabase("crowd").createContainerIfNotExists("c", "/pk").getStatusCode());
          return status;
        });
      }
      var created = 0;
      for (var result : threads.invokeAll(tasks)) {
        created += result.get() == 201 ? 1 : 0;
      }
      assertThat(created).as("how many were told that they made it").isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static int ifNotExists(Callable<Integer> request) throws Exception {
    try {
      return request.call();
    } catch (CosmosException e) {
      assertThat(e.getStatusCode()).isEqualTo(409);
      return request.call();
    }
  }

  @Test
  void aWrongKeyIsRefusedAtOnce() {
    var wrong = new CosmosClientBuilder()
        .endpoint(endpoint(node).toString())
        .key("d3Jvbmc=")
        .gatewayMode();
    assertThatThrownBy(wrong::buildClient).hasMessageContaining("signature");
  }

  /** In gateway mode the SDK throws the plain exception; applications look at its status. */
  private static void refused(int status, int substatus, ThrowingCallable request) {
    assertThatThrownBy(request).isInstanceOfSatisfying(CosmosException.class, e -> {
      assertThat(e.getStatusCode()).isEqualTo(status);
      assertThat(e.getSubStatusCode()).isEqualTo(substatus);
    });
  }

  private static ObjectNode item(String id, String key, int n) {
    return JsonNodeFactory.instance.objectNode().put("id", id).put("pk", key).put("n", n);
  }
}
