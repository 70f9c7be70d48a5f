package dev.partita.http.server;

import com.typesafe.config.Config;
import java.net.URI;
import java.nio.file.Path;

/** Placeholder with the shape of the real class, so that the command line compiles before it exists. */
@SuppressWarnings("DoNotCallSuggester")
public final class PartitaNode {
  private PartitaNode() {}

  /**
   * Starts a node and returns when it is ready.
   *
   * @throws NodeStartException with a one-line message that says what to do
   */
  public static PartitaNode start(Config config) throws NodeStartException {
    throw new NodeStartException(
        "this build has no server yet: " + config.root().size() + " settings read");
  }

  public URI endpoint() {
    throw new UnsupportedOperationException();
  }

  public String key() {
    throw new UnsupportedOperationException();
  }

  public Path dataDirectory() {
    throw new UnsupportedOperationException();
  }

  public void awaitTermination() throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  public void stop() {
    throw new UnsupportedOperationException();
  }
}
