package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Endpoint;
import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.TcpForwarder;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** U23: the port that a client uses is not the one that the node listens on. */
class MappedPortIT {
  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  @Test
  void theAccountNamesTheHostAndPortThatTheClientUsed() throws IOException {
    var node = nodes.create().start();
    try (var mapped = TcpForwarder.to(node.endpoint().getPort())) {
      for (var host : new String[] {"127.0.0.1", "localhost"}) {
        var outside = "http://" + host + ":" + mapped.port() + "/";
        try (var client = new AccountClient(Endpoint.parse(outside, false), node.key())) {
          var account = client.send("GET", "", "", "/", Map.of(), new byte[0]);
          assertThat(account.status()).isEqualTo(200);
          assertThat(account.json().findValuesAsText("databaseAccountEndpoint"))
              .isNotEmpty()
              .containsOnly(outside);
        }
      }
    }
  }

  @Test
  void theJavaSdkWorksThroughAMappedPort() throws IOException {
    var node = nodes.create("--tls").start();
    try (var http = TcpForwarder.to(node.endpoint().getPort());
        var https = TcpForwarder.to(node.httpsEndpoint().getPort())) {
      roundTrip(node, "http://127.0.0.1:" + http.port() + "/");
      roundTrip(node, "https://127.0.0.1:" + https.port() + "/");
    }
  }

  private static void roundTrip(Node node, String outside) {
    try (var client = new CosmosClientBuilder()
        .endpoint(outside)
        .key(node.key())
        .gatewayMode()
        .buildClient()) {
      client.createDatabaseIfNotExists("db");
      client.getDatabase("db").createContainerIfNotExists("c", "/pk");
      var container = client.getDatabase("db").getContainer("c");
      container.upsertItem(JsonNodeFactory.instance.objectNode().put("id", "1").put("pk", "k"));
      assertThat(
              container.readItem("1", new PartitionKey("k"), ObjectNode.class).getStatusCode())
          .isEqualTo(200);
    }
  }
}
