package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.workload.Container;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JavaSdkDirectModeIT {
  private static final Duration SOON = Duration.ofSeconds(5);

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  /** U65: a client in its default mode must not hang, and must learn what to change. */
  @Test
  void directModeFailsSoonAndNamesGatewayMode() throws IOException {
    var node = nodes.create().start();
    try (var client = node.client()) {
      Container.create(client, "db", "c", 400);
    }
    try (var direct = new CosmosClientBuilder()
        .endpoint(node.endpoint().toString())
        .key(node.key())
        .directMode()
        .buildClient()) {
      var container = direct.getDatabase("db").getContainer("c");
      long start = System.nanoTime();
      var failure =
          catchThrowable(() -> container.readItem("1", new PartitionKey("k"), ObjectNode.class));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
      assertThat(failure).isInstanceOf(CosmosException.class).hasMessageContaining("ateway mode");
    }
  }
}
