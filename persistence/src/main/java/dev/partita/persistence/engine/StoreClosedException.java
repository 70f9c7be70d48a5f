package dev.partita.persistence.engine;

/** The store, or the snapshot of it, was closed before this call. */
public final class StoreClosedException extends StoreException {
  StoreClosedException(String what) {
    super(what + " is closed: open it again before use");
  }
}
