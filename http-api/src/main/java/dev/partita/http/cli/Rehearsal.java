package dev.partita.http.cli;

import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Endpoint;
import dev.partita.http.cli.client.ResourceName;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A few requests that a fresh node serves before it stops again, so that the classes of its first minute are in the archive
 * that the launcher makes. What it is answered does not matter.
 */
final class Rehearsal {
  private Rehearsal() {}

  /** Makes a database, a container and an item, and reads the item's container. */
  static void run(URI endpoint, String key) throws IOException {
    var database = ResourceName.database("rehearsal");
    var container = database.container("items");
    try (var client = new AccountClient(Endpoint.parse(endpoint.toString(), false), key)) {
      client.admin("/_partita/ready");
      client.post("dbs", ResourceName.ACCOUNT, Map.of(), bytes("{'id':'rehearsal'}"));
      client.post(
          "colls",
          database,
          Map.of(),
          bytes("{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2}}"));
      client.get("colls", container);
      client.post(
          "docs",
          container,
          Map.of("x-ms-documentdb-partitionkey", "[\"a\"]"),
          bytes("{'id':'1','pk':'a'}"));
    }
  }

  private static byte[] bytes(String jsonInSingleQuotes) {
    return jsonInSingleQuotes.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
