package dev.partita.multijvm.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The nodes of a test. Stops them at its end, also when it fails, and then shows what they printed. Use it as an instance
 * field for nodes of one test method, as a static field for nodes that the methods of a class share.
 */
public final class Nodes implements AfterEachCallback, AfterAllCallback {
  private final boolean shared;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>();

  private Nodes(boolean shared) {
    this.shared = shared;
  }

  public static Nodes ofOneTest() {
    return new Nodes(false);
  }

  public static Nodes ofTheClass() {
    return new Nodes(true);
  }

  /** A node on an empty directory, not started. */
  public Node create(String... flags) {
    return create(Map.of(), flags);
  }

  /** A node on an empty directory, not started, with more environment. */
  public Node create(Map<String, String> environment, String... flags) {
    return on(directory().resolve("data"), environment, flags);
  }

  /** A node over a directory, not started. */
  public Node on(Path data, Map<String, String> environment, String... flags) {
    var node = new Node(data, List.of(flags), environment);
    nodes.add(node);
    return node;
  }

  /** An empty directory, removed with the nodes. */
  public Path directory() {
    try {
      var directory = Files.createTempDirectory("partita-test");
      directories.add(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      for (var node : nodes) {
        System.out.println(
            "--- the node on " + node.data() + " printed:\n" + node.output() + "\n---");
      }
    }
    if (!shared) {
      end();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end();
  }

  private void end() {
    nodes.forEach(Node::destroy);
    nodes.clear();
    directories.forEach(Nodes::delete);
    directories.clear();
  }

  private static void delete(Path directory) {
    try {
      Files.walkFileTree(directory, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
            throws IOException {
          Files.delete(file);
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, IOException failure)
            throws IOException {
          Files.delete(visited);
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
