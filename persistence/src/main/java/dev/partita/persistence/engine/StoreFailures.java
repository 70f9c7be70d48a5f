package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Turns what RocksDB reports into one typed exception with one line that says what to do. */
final class StoreFailures {
  private static final Pattern TABLE = Pattern.compile("\\d{6,}\\.sst");

  /** Tables first: a message about one may blame the manifest as well. */
  private static final List<Pattern> FILES =
      List.of(TABLE, Pattern.compile("MANIFEST-\\d+"), Pattern.compile("CURRENT"));

  private static final Pattern BREAKS = Pattern.compile("\\s*\\R\\s*");

  private final Path directory;

  StoreFailures(Path directory) {
    this.directory = directory;
  }

  StoreException opening(RocksDBException failure) {
    String reason = reason(failure);
    if (!isDamage(failure, reason)) {
      return opening(reason, isNoSpace(failure, reason), failure);
    }
    if (TABLE.matcher(reason).find()) {
      return damaged(reason, failure);
    }
    // Opening reads the tables' ends; a table damaged there goes unnamed, and the manifest gets the
    // blame.
    return Engine.damagedTable(directory)
        .map(table -> damaged(reason.replaceFirst("\\s+The file .*", ""), table, failure))
        .orElseGet(() -> damaged(reason, failure));
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
      return full(failure);
    }
    return isDamage(failure, reason) ? damaged(reason, failure) : failing(reason, failure);
  }

  StoreException writing(IOException failure) {
    String reason = line(failure.toString());
    return isNoSpace(reason) ? full(failure) : failing(reason, failure);
  }

  StoreDamagedException damaged(String reason, String file) {
    return damaged(reason, directory.resolve(file), null);
  }

  private StoreUnavailableException full(Exception failure) {
    return new StoreUnavailableException(
        "no space left for the item store " + directory + ": free some; writes then resume alone",
        true,
        failure);
  }

  private StoreUnavailableException failing(String reason, Exception failure) {
    return new StoreUnavailableException(
        "the item store "
            + directory
            + " takes no writes ("
            + reason
            + "): check the disk, then start the node again",
        false,
        failure);
  }

  private StoreDamagedException damaged(String reason, RocksDBException failure) {
    Path file = FILES.stream()
        .map(pattern -> pattern.matcher(reason))
        .filter(Matcher::find)
        .findFirst()
        .map(match -> directory.resolve(match.group()))
        .orElse(directory);
    return damaged(reason, file, failure);
  }

  private static StoreDamagedException damaged(
      String reason, Path file, @Nullable Exception failure) {
    return new StoreDamagedException(
        file
            + " is damaged ("
            + reason
            + "): restore the data directory from a backup, or move it away and let the other nodes"
            + " fill an empty one",
        file.toString(),
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
