package dev.partita.persistence.engine;

/**
 * The disk does not take what the store has to write. Reads go on, nothing durable is lost, and a batch that
 * failed has no effect: it may be written again later.
 */
public final class StoreUnavailableException extends StoreException {
  private final boolean resumes;

  StoreUnavailableException(String message, boolean resumes, Throwable cause) {
    super(message, cause);
    this.resumes = resumes;
  }

  /** Whether writes resume by themselves once the cause is gone; if not, the store must be opened again. */
  public boolean resumes() {
    return resumes;
  }
}
