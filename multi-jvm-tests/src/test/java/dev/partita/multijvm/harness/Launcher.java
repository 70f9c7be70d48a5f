package dev.partita.multijvm.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code bin/partita} of this build. */
public final class Launcher {
  /** Processes that live for seconds: the second compiler and a parallel collector would not pay. */
  private static final String SHORT_LIFE = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final Duration RUN_MAX = Duration.ofMinutes(5);

  private Launcher() {}

  /** What a command that ends has left. */
  public record Ended(int code, String out, String err) {}

  /** The script itself. */
  public static Path script() {
    var home = System.getProperty("partita.home");
    return Path.of(home == null ? ".." : home, "bin", "partita")
        .toAbsolutePath()
        .normalize();
  }

  /** A process that is not started yet, in {@code directory}, running what was packaged before these tests. */
  static ProcessBuilder process(
      Path script, Path directory, Map<String, String> environment, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(script.toString());
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("PARTITA_"));
    builder.environment().put("PARTITA_BUILD", "never");
    builder.environment().put("PARTITA_JAVA_OPTS", SHORT_LIFE);
    builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
    builder.environment().putAll(environment);
    return builder;
  }

  /** Runs a command to its end. */
  public static Ended run(Path directory, String... arguments) {
    return run(script(), directory, arguments);
  }

  /** Runs a command to its end, through another name of the script. */
  public static Ended run(Path script, Path directory, String... arguments) {
    try {
      var process = process(script, directory, Map.of(), List.of(arguments)).start();
      var out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
      var err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
      if (!process.waitFor(RUN_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("partita " + String.join(" ", arguments) + " did not end within "
            + RUN_MAX + ":\n" + out.join() + err.join());
      }
      return new Ended(process.exitValue(), out.join(), err.join());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String text(java.io.InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
