package dev.partita.http.cli.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What figures depend on besides the code, and the CPU clock of another process. */
final class Machine {
  private Machine() {}

  static ObjectNode describe(Path directory) throws IOException {
    return JsonNodeFactory.instance
        .objectNode()
        .put("time", Instant.now().toString())
        .put("cores", Runtime.getRuntime().availableProcessors())
        .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"))
        .put("fileSystem", Files.getFileStore(directory).type());
  }

  /** CPU time that a process has taken so far, user and system; zero when the system does not tell. */
  static Duration cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  /** Removes a directory of ours with all it holds. */
  static void delete(Path directory) throws IOException {
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
          throws IOException {
        if (failure != null) {
          throw failure;
        }
        Files.delete(visited);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
