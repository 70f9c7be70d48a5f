package dev.partita.persistence.directory;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A data directory cannot be used. The message is one line that says what to do. */
public final class DataDirectoryException extends RuntimeException {
  /** Why. */
  public enum Reason {
    /** Written by a newer version of Partita. */
    NEWER_FORMAT,
    /** Belongs to another cluster than expected, or to none that may change. */
    OTHER_CLUSTER,
    /** A live process has it open. */
    LOCKED,
    /** The path names something else than a folder. */
    NOT_A_DIRECTORY,
    /** The user may not read or write it. */
    NO_PERMISSION,
    /** It holds files that are not Partita's. */
    FOREIGN,
    /** A file is missing, or its bytes are not what was written. */
    DAMAGED,
    /** The disk is full. */
    NO_SPACE,
    /** The disk fails in another way. */
    FAILED
  }

  private final Reason reason;
  private final transient Path path;

  DataDirectoryException(Reason reason, Path path, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.path = path;
  }

  public Reason reason() {
    return reason;
  }

  /** The folder or file that this is about. */
  public Path path() {
    return path;
  }
}
