package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB reports into one typed exception with one line that says what to do. */
final class StoreFailures {
  private static final Pattern FILE = Pattern.compile("\\d{6,}\\.sst|MANIFEST-\\d+|CURRENT");
  private static final Pattern BREAKS = Pattern.compile("\\s*\\R\\s*");

  private final Path directory;

  StoreFailures(Path directory) {
    this.directory = directory;
  }

  StoreException opening(RocksDBException failure) {
    String reason = reason(failure);
    return isDamage(failure, reason)
        ? damaged(reason, failure)
        : opening(reason, isNoSpace(failure, reason), failure);
  }

  StoreException opening(IOException failure) {
    String reason = line(failure.toString());
    return opening(reason, isNoSpace(reason), failure);
  }

  private StoreException opening(String reason, boolean noSpace, Exception failure) {
    if (noSpace) {
      return new StoreUnavailableException(
          "no space left for the item store " + directory + ": free some, then start again",
          false,
          failure);
    }
    if (reason.contains("lock ")) {
      return new StoreAccessException(
          "the item store " + directory + " is open elsewhere: stop the process that has it open",
          failure);
    }
    return new StoreAccessException(
        "cannot open the item store "
            + directory
            + " ("
            + reason
            + "): let this user read and write the folder and its files",
        failure);
  }

  StoreException reading(RocksDBException failure) {
    String reason = reason(failure);
    if (isDamage(failure, reason)) {
      return damaged(reason, failure);
    }
    return new StoreUnavailableException(
        "cannot read the item store "
            + directory
            + " ("
            + reason
            + "): check the disk and the limit of open files, then read again",
        true,
        failure);
  }

  StoreException writing(RocksDBException failure) {
    String reason = reason(failure);
    if (isNoSpace(failure, reason)) {
      return new StoreUnavailableException(
          "no space left for the item store " + directory + ": free some; writes then resume alone",
          true,
          failure);
    }
    if (isDamage(failure, reason)) {
      return damaged(reason, failure);
    }
    return new StoreUnavailableException(
        "the item store "
            + directory
            + " takes no writes ("
            + reason
            + "): check the disk, then start the node again",
        false,
        failure);
  }

  StoreDamagedException missing(String file) {
    return damaged("the file is missing", file, null);
  }

  private StoreDamagedException damaged(String reason, RocksDBException failure) {
    Matcher file = FILE.matcher(reason);
    return damaged(reason, file.find() ? file.group() : null, failure);
  }

  private StoreDamagedException damaged(
      String reason, @Nullable String name, @Nullable Exception failure) {
    String file = (name == null ? directory : directory.resolve(name)).toString();
    return new StoreDamagedException(
        file
            + " is damaged ("
            + reason
            + "): restore the data directory from a backup, or move it away and let the other nodes"
            + " fill an empty one",
        file,
        failure);
  }

  private static boolean isDamage(RocksDBException failure, String reason) {
    Status status = failure.getStatus();
    return (status != null && status.getCode() == Status.Code.Corruption)
        || reason.contains("No such file");
  }

  private static boolean isNoSpace(RocksDBException failure, String reason) {
    Status status = failure.getStatus();
    return (status != null && status.getSubCode() == Status.SubCode.NoSpace) || isNoSpace(reason);
  }

  private static boolean isNoSpace(String reason) {
    return reason.contains("No space left");
  }

  private static String reason(RocksDBException failure) {
    String message = failure.getMessage();
    return line(message == null ? String.valueOf(failure.getStatus()) : message);
  }

  private static String line(String text) {
    return BREAKS.matcher(text.strip()).replaceAll(" ");
  }
}
