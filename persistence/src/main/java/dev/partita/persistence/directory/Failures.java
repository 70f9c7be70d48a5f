package dev.partita.persistence.directory;

import dev.partita.persistence.directory.DataDirectoryException.Reason;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The one line for every way in which a data directory can be unusable. */
final class Failures {
  private static final Pattern BREAKS = Pattern.compile("\\s*\\R\\s*");

  private Failures() {}

  static DataDirectoryException newerFormat(Path directory, int found, int known) {
    return new DataDirectoryException(
        Reason.NEWER_FORMAT,
        directory,
        "%s has format %d, and this version knows up to %d: start the version of Partita that wrote it"
            .formatted(directory, found, known),
        null);
  }

  static DataDirectoryException otherCluster(Path directory, String found, String expected) {
    return new DataDirectoryException(
        Reason.OTHER_CLUSTER,
        directory,
        "%s belongs to cluster %s, not to %s: choose another data directory, or that cluster"
            .formatted(directory, found, expected),
        null);
  }

  static DataDirectoryException locked(Path directory, String holder) {
    return new DataDirectoryException(
        Reason.LOCKED,
        directory,
        "%s is in use by %s: stop it, or choose another data directory"
            .formatted(directory, holder),
        null);
  }

  static DataDirectoryException notADirectory(Path path) {
    return new DataDirectoryException(
        Reason.NOT_A_DIRECTORY,
        path,
        "%s is not a folder: choose another data directory".formatted(path),
        null);
  }

  static DataDirectoryException foreign(Path directory, Path example) {
    return new DataDirectoryException(
        Reason.FOREIGN,
        directory,
        "%s holds files that are not Partita's, such as %s: choose an empty or a new folder"
            .formatted(directory, line(String.valueOf(example.getFileName()))),
        null);
  }

  static DataDirectoryException damaged(Path file, String how) {
    return new DataDirectoryException(
        Reason.DAMAGED,
        file,
        "%s is damaged (%s): restore the data directory from a backup, or start with an empty one"
            .formatted(file, how),
        null);
  }

  /** What went wrong with a path, told from the exception that the file system gave. */
  static DataDirectoryException failed(Path path, IOException failure) {
    String what = what(failure);
    if (failure instanceof AccessDeniedException
        || what.contains("Permission denied")
        || what.contains("Operation not permitted")
        || what.contains("Read-only file system")) {
      return new DataDirectoryException(
          Reason.NO_PERMISSION,
          path,
          "%s may not be read or written (%s): let the user %s do both, or choose another data directory"
              .formatted(path, what, System.getProperty("user.name")),
          failure);
    }
    if (what.contains("No space left") || what.contains("quota exceeded")) {
      return new DataDirectoryException(
          Reason.NO_SPACE,
          path,
          "no space left for %s: free some, then try again".formatted(path),
          failure);
    }
    return new DataDirectoryException(
        Reason.FAILED,
        path,
        "%s cannot be used (%s): check the disk, then try again".formatted(path, what),
        failure);
  }

  private static String what(IOException failure) {
    String reason = failure instanceof FileSystemException onPath && onPath.getReason() != null
        ? onPath.getReason()
        : failure.getMessage();
    return reason == null || failure instanceof AccessDeniedException
        ? failure.getClass().getSimpleName()
        : line(reason);
  }

  private static String line(String text) {
    return BREAKS.matcher(text.strip()).replaceAll(" ");
  }
}
