package dev.partita.persistence.engine;

import org.jspecify.annotations.Nullable;

/**
 * A file of the store is missing or its bytes are not what was written. What is damaged is not served; what
 * lies in other files can still be read.
 */
public final class StoreDamagedException extends StoreException {
  private final String file;

  StoreDamagedException(String message, String file, @Nullable Throwable cause) {
    super(message, cause);
    this.file = file;
  }

  /** The damaged file where it is known, else the folder of the store. */
  public String file() {
    return file;
  }
}
