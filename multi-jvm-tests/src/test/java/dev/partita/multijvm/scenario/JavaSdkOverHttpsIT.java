package dev.partita.multijvm.scenario;

import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import java.net.URI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

class JavaSdkOverHttpsIT extends JavaSdkContract {
  @RegisterExtension
  static final Nodes NODES = Nodes.ofTheClass();

  private static Node node;

  @BeforeAll
  static void start() {
    node = NODES.create("--tls").start();
  }

  @Override
  Node node() {
    return node;
  }

  @Override
  URI endpoint() {
    return node.httpsEndpoint();
  }
}
