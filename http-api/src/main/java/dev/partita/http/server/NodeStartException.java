package dev.partita.http.server;

import org.jspecify.annotations.Nullable;

/** A node could not start. The message is one line and says what to do about it. */
public final class NodeStartException extends Exception {
  public NodeStartException(String message) {
    super(message);
  }

  public NodeStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
