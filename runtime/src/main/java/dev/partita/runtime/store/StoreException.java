package dev.partita.runtime.store;

/** The store cannot do what was asked; the message is one line that says what to do. */
public final class StoreException extends RuntimeException {
  private final String line;

  public StoreException(String line, Throwable cause) {
    super(line, cause);
    this.line = line;
  }

  @Override
  public String getMessage() {
    return line;
  }
}
