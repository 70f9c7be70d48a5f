package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.Tls;
import dev.partita.multijvm.workload.Container;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DurabilityIT {
  private static final int ITEMS = 1_000;

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  /** U22. */
  @Test
  void kill9LosesNothingAndChangesNothing() throws IOException {
    var node = nodes.create("--tls").start();
    Map<String, String> etags = write(node);
    var key = node.key();
    X509Certificate certificate = Tls.certificate(node.httpsEndpoint());

    node.kill();
    node.start();

    assertThat(node.key()).isEqualTo(key);
    assertThat(Tls.certificate(node.httpsEndpoint())).isEqualTo(certificate);
    assertThat(read(node)).isEqualTo(etags);
  }

  @Test
  void sigtermAnswersWhatItHasAndLosesNothing() throws IOException {
    var node = nodes.create().start();
    Map<String, String> etags = write(node);
    assertThat(node.terminate()).as("exit code").isIn(0, 143);
    node.start();
    assertThat(read(node)).isEqualTo(etags);
  }

  private static Map<String, String> write(Node node) throws IOException {
    var etags = new LinkedHashMap<String, String>();
    try (var client = node.client()) {
      var container = Container.create(client, "db", "c", 400);
      for (int i = 0; i < ITEMS; i++) {
        var item = JsonNodeFactory.instance
            .objectNode()
            .put("id", "i" + i)
            .put("pk", key(i))
            .put("n", i);
        var reply = Container.expect(container.create(key(i), item), 201);
        etags.put("i" + i, reply.header("etag").orElseThrow());
      }
    }
    return etags;
  }

  private static Map<String, String> read(Node node) throws IOException {
    var etags = new LinkedHashMap<String, String>();
    try (var client = node.client()) {
      var container = new Container(client, "db", "c");
      for (int i = 0; i < ITEMS; i++) {
        var reply = Container.expect(container.read(key(i), "i" + i), 200);
        assertThat(reply.json().path("n").asInt()).isEqualTo(i);
        etags.put("i" + i, reply.header("etag").orElseThrow());
      }
    }
    return etags;
  }

  private static String key(int i) {
    return "k" + i % 17;
  }
}
