package dev.partita.multijvm.scenario;

import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import java.net.URI;
import org.junit.jupiter.api.extension.RegisterExtension;

class JavaSdkOverHttpIT extends JavaSdkContract {
  @RegisterExtension
  static final Nodes NODES = Nodes.ofTheClass();

  @Override
  Node start() {
    return NODES.create().start();
  }

  @Override
  URI endpoint(Node started) {
    return started.endpoint();
  }
}
