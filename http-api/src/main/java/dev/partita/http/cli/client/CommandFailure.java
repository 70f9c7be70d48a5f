package dev.partita.http.cli.client;

import org.jspecify.annotations.Nullable;

/** A command cannot go on. The message is one line for the person at the terminal; the exit code is 1. */
public final class CommandFailure extends RuntimeException {
  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
