package dev.partita.persistence.log;

import org.jspecify.annotations.Nullable;

/** Why the log could not do what it was asked; each message is one line that says what to do. */
public abstract sealed class LogException extends RuntimeException {

  private LogException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** No segment can be allocated. Nothing was written; the same write succeeds when there is room. */
  public static final class DiskFull extends LogException {
    DiskFull(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** More bytes wait for the disk than the queue may hold. Nothing was written; try again later. */
  public static final class Overloaded extends LogException {
    Overloaded(String message) {
      super(message, null);
    }
  }

  /**
   * A sequence number at or below the highest one of its persistence id: a second writer is at work.
   * Nothing was written.
   */
  public static final class SecondWriter extends LogException {
    SecondWriter(String message) {
      super(message, null);
    }
  }

  /** A write or persistence id that no segment can hold. Nothing was written, nor ever will be. */
  public static final class TooLarge extends LogException {
    TooLarge(String message) {
      super(message, null);
    }
  }

  /** {@link LogFaults} made this write fail. Nothing was written. */
  public static final class Injected extends LogException {
    Injected(String message) {
      super(message, null);
    }
  }

  /**
   * The log is closed, or a write or sync failed. After a failed sync the page cache may show what
   * the disk lacks, so nothing is tried again: only opening the log anew tells what is durable.
   */
  public static final class Stopped extends LogException {
    Stopped(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Another process, or another log of this process, holds the directory. */
  public static final class Locked extends LogException {
    Locked(String message) {
      super(message, null);
    }
  }

  /** The files were written by a newer version of the program. */
  public static final class NewerFormat extends LogException {
    NewerFormat(String message) {
      super(message, null);
    }
  }

  /** The files cannot be used: permissions, or not a directory. */
  public static final class Unusable extends LogException {
    Unusable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Bytes that were durable are no longer what they were. The log is not opened and nothing is cut
   * off: what is lost has to come from somewhere else.
   */
  public static final class Damaged extends LogException {
    private final String file;
    private final long offset;

    Damaged(String file, long offset, String what) {
      super(
          "damaged log: %s at offset %d: %s; restore the file or replace this copy of the data"
              .formatted(file, offset, what),
          null);
      this.file = file;
      this.offset = offset;
    }

    /** Path of the damaged file. */
    public String file() {
      return file;
    }

    /** Where in the file the first unusable byte run starts, in bytes. */
    public long offset() {
      return offset;
    }
  }
}
