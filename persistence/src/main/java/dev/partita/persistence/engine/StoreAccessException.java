package dev.partita.persistence.engine;

/** The store cannot be opened: another process has it open, or its files may not be read or written. */
public final class StoreAccessException extends StoreException {
  StoreAccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
