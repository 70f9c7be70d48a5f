package dev.partita.http.route;

import dev.partita.http.protocol.Refusal;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Finds the refusal in what a stage failed with. */
final class Refusals {
  private Refusals() {}

  static Optional<Refusal> of(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof Refusal refusal ? Optional.of(refusal) : Optional.empty();
  }
}
