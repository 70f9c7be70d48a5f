package dev.partita.persistence.engine;

import org.jspecify.annotations.Nullable;

/** The item store could not do what it was asked for. The message is one line that says what to do. */
public abstract sealed class StoreException extends RuntimeException
    permits StoreAccessException,
        StoreClosedException,
        StoreDamagedException,
        StoreUnavailableException {
  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  StoreException(String message) {
    super(message);
  }
}
