package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.partita.http.cli.client.Reply;
import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.Tls;
import dev.partita.multijvm.workload.Container;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DurabilityIT {
  private static final int ITEMS = 1_000;
  private static final int THREADS = 8;

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  /** U22. */
  @Test
  void kill9LosesNothingAndChangesNothing() throws Exception {
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
  void sigtermAnswersWhatItHasAndLosesNothing() throws Exception {
    var node = nodes.create().start();
    Map<String, String> etags = write(node);
    assertThat(node.terminate()).as("exit code").isIn(0, 143);
    node.start();
    assertThat(read(node)).isEqualTo(etags);
  }

  private static Map<String, String> write(Node node) throws Exception {
    try (var client = node.client()) {
      Container.create(client, "db", "c", 400);
    }
    return each(node, (container, i) -> {
      var item = JsonNodeFactory.instance
          .objectNode()
          .put("id", "i" + i)
          .put("pk", key(i))
          .put("n", i);
      return Container.expect(container.create(key(i), item), 201);
    });
  }

  private static Map<String, String> read(Node node) throws Exception {
    return each(node, (container, i) -> {
      var reply = Container.expect(container.read(key(i), "i" + i), 200);
      assertThat(reply.json().path("n").asInt()).isEqualTo(i);
      return reply;
    });
  }

  /** A request about the item with a number. */
  private interface Request {
    Reply send(Container container, int i) throws IOException;
  }

  /** Etags of all items by id; each thread asks for its share. */
  private static Map<String, String> each(Node node, Request request) throws Exception {
    var etags = new ConcurrentSkipListMap<String, String>();
    var threads = Executors.newFixedThreadPool(THREADS);
    try {
      var shares = new ArrayList<Callable<Object>>();
      for (int first = 0; first < THREADS; first++) {
        int from = first;
        shares.add(() -> {
          try (var client = node.client()) {
            var container = new Container(client, "db", "c");
            for (int i = from; i < ITEMS; i += THREADS) {
              etags.put("i" + i, request.send(container, i).header("etag").orElseThrow());
            }
          }
          return from;
        });
      }
      for (var share : threads.invokeAll(shares)) {
        share.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(etags).hasSize(ITEMS);
    return etags;
  }

  private static String key(int i) {
    return "k" + i % 17;
  }
}
