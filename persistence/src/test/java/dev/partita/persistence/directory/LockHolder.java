package dev.partita.persistence.directory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process that opens a data directory, says so, and keeps it until it is killed or its input ends. */
final class LockHolder {
  private LockHolder() {}

  static Process start(Path directory) throws IOException {
    return new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            LockHolder.class.getName(),
            directory.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  public static void main(String[] args) throws IOException {
    try (DataDirectory data = DataDirectory.open(Path.of(args[0]), 4, Optional.empty())) {
      System.out.println(data.bootCount() == 1 ? "open" : "opened before");
      while (System.in.read() >= 0) {
        // until its parent dies, if it is not killed before
      }
    }
  }
}
