package dev.partita.http.cli.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.client.Reply;
import dev.partita.http.cli.client.ResourceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The container that a load fills.
 *
 * @param paths its partition key paths
 * @param incarnation differs between two containers that had the same name one after the other
 */
record Target(ResourceName name, List<String> paths, String incarnation) {

  /** Finds the container, or makes it and its database. */
  static Target prepare(
      AccountClient client,
      String database,
      String container,
      List<String> paths,
      @Nullable Integer throughput)
      throws IOException {
    var owner = ResourceName.database(database);
    var name = owner.container(container);
    var found = client.get("colls", name);
    if (found.status() == 404) {
      if (paths.isEmpty()) {
        throw new CommandFailure("there is no container " + container + " in " + database
            + ": name a --partition-key, and it is made");
      }
      var id = JsonNodeFactory.instance.objectNode().put("id", database);
      made(client.post("dbs", ResourceName.ACCOUNT, Map.of(), bytes(id)), "database " + database);
      var settings = throughput == null
          ? Map.<String, String>of()
          : Map.of("x-ms-offer-throughput", throughput.toString());
      made(
          client.post("colls", owner, settings, bytes(definition(container, paths))),
          "container " + container);
      found = client.get("colls", name);
    }
    if (found.status() != 200) {
      throw new CommandFailure("the container cannot be read: " + found.error());
    }
    var body = found.json();
    return new Target(
        name,
        agreed(container, paths, body),
        body.path("_rid").asText() + " " + body.path("_etag").asText());
  }

  private static void made(Reply reply, String what) {
    if (reply.status() != 201 && reply.status() != 409) { // 409: it is there already
      throw new CommandFailure("cannot create the " + what + ": " + reply.error());
    }
  }

  private static JsonNode definition(String container, List<String> paths) {
    var definition = JsonNodeFactory.instance.objectNode().put("id", container);
    var key = definition.putObject("partitionKey");
    paths.forEach(key.putArray("paths")::add);
    key.put("kind", paths.size() > 1 ? "MultiHash" : "Hash").put("version", 2);
    return definition;
  }

  private static List<String> agreed(String container, List<String> asked, JsonNode body) {
    var actual = new ArrayList<String>();
    body.path("partitionKey").path("paths").forEach(path -> actual.add(path.asText()));
    if (!asked.isEmpty() && !asked.equals(actual)) {
      throw new CommandFailure("the partition key of " + container + " is "
          + String.join(",", actual) + ", not " + String.join(",", asked)
          + ": leave --partition-key out, or choose another container");
    }
    return List.copyOf(actual);
  }

  private static byte[] bytes(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
