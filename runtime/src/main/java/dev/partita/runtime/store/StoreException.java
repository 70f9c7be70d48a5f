package dev.partita.runtime.store;

/** The store cannot do what was asked; the message is one line that says what to do. */
public final class StoreException extends RuntimeException {
  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
