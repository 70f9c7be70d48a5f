package dev.partita.multijvm.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Names;
import dev.partita.http.cli.client.Reply;
import dev.partita.http.cli.client.ResourceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The items of one container, asked for over the wire. One thread, as its client. */
public final class Container {
  private static final byte[] NO_BODY = new byte[0];

  private final AccountClient client;
  private final ResourceName name;

  public Container(AccountClient client, String database, String container) {
    this.client = client;
    this.name = ResourceName.database(database).container(container);
  }

  /** Makes database and container if need be. */
  public static Container create(
      AccountClient client, String database, String container, int throughput) throws IOException {
    var made = new Container(client, database, container);
    var factory = JsonNodeFactory.instance;
    expect(
        client.post(
            "dbs", ResourceName.ACCOUNT, Map.of(), bytes(factory.objectNode().put("id", database))),
        201,
        409);
    var definition = factory.objectNode().put("id", container);
    var key = definition.putObject("partitionKey").put("kind", "Hash").put("version", 2);
    key.putArray("paths").add("/pk");
    expect(
        client.post(
            "colls",
            ResourceName.database(database),
            Map.of("x-ms-offer-throughput", String.valueOf(throughput)),
            bytes(definition)),
        201,
        409);
    return made;
  }

  public ResourceName name() {
    return name;
  }

  public Reply create(String key, JsonNode item) throws IOException {
    return client.post("docs", name, key(key), bytes(item));
  }

  public Reply upsert(String key, JsonNode item) throws IOException {
    return client.post(
        "docs", name, with(key(key), "x-ms-documentdb-is-upsert", "true"), bytes(item));
  }

  /** Replaces; {@code ifMatch} is an etag, or empty for none. */
  public Reply replace(String key, String id, String ifMatch, JsonNode item) throws IOException {
    return onItem(
        "PUT", id, ifMatch.isEmpty() ? key(key) : with(key(key), "If-Match", ifMatch), bytes(item));
  }

  /** Deletes; {@code ifMatch} is an etag, or empty for none. */
  public Reply delete(String key, String id, String ifMatch) throws IOException {
    return onItem(
        "DELETE", id, ifMatch.isEmpty() ? key(key) : with(key(key), "If-Match", ifMatch), NO_BODY);
  }

  public Reply read(String key, String id) throws IOException {
    return onItem("GET", id, key(key), NO_BODY);
  }

  /** Reads with one more header. */
  public Reply read(String key, String id, String header, String value) throws IOException {
    return onItem("GET", id, with(key(key), header, value), NO_BODY);
  }

  /** All items of one logical partition, page by page. */
  public List<JsonNode> list(String key) throws IOException {
    var items = new ArrayList<JsonNode>();
    var continuation = "";
    do {
      var headers = with(key(key), "x-ms-max-item-count", "1000");
      if (!continuation.isEmpty()) {
        headers.put("x-ms-continuation", continuation);
      }
      var reply =
          client.send("GET", "docs", name.link(), name.child("docs").path(), headers, NO_BODY);
      expect(reply, 200);
      reply.json().path("Documents").forEach(items::add);
      continuation = reply.header("x-ms-continuation").orElse("");
    } while (!continuation.isEmpty());
    return items;
  }

  private Reply onItem(String verb, String id, Map<String, String> headers, byte[] body)
      throws IOException {
    var item = name.child("docs").child(id);
    return client.send(verb, "docs", item.link(), item.path(), headers, body);
  }

  private static Map<String, String> key(String key) {
    var json = Names.asciiJson(JsonNodeFactory.instance.arrayNode().add(key).toString());
    return Map.of("x-ms-documentdb-partitionkey", json);
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    var more = new HashMap<>(headers);
    more.put(name, value);
    return more;
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Fails unless the answer has one of these statuses. */
  public static Reply expect(Reply reply, int... statuses) {
    for (int status : statuses) {
      if (reply.status() == status) {
        return reply;
      }
    }
    throw new AssertionError("unexpected answer " + reply.error());
  }
}
