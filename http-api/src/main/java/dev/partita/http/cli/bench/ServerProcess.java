package dev.partita.http.cli.bench;

import dev.partita.http.cli.PartitaCommand;
import dev.partita.http.cli.client.CommandFailure;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command of ours in a process of its own, which says where it listens before it serves. */
final class ServerProcess implements Closeable {
  private static final long STOP_SECONDS_MAX = 20;

  private final Process process;
  private final Map<String, String> said;

  private ServerProcess(Process process, Map<String, String> said) {
    this.process = process;
    this.said = said;
  }

  /**
   * Starts {@code partita} with {@code arguments} and waits for its lines {@code endpoint ...} and what comes with it.
   *
   * @throws CommandFailure if it ends first
   */
  static ServerProcess start(List<String> arguments) throws IOException {
    var process = new ProcessBuilder(command(arguments))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    var said = new HashMap<String, String>();
    var lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
    for (var line = lines.readLine();
        line != null && !(line.isBlank() && said.containsKey("endpoint"));
        line = lines.readLine()) {
      var words = line.strip().split("\\s+", 2);
      if (words.length == 2) {
        said.put(words[0], words[1]);
      }
    }
    if (!said.containsKey("endpoint")) {
      process.destroyForcibly();
      throw new CommandFailure(
          "'partita " + String.join(" ", arguments) + "' ended before it was ready");
    }
    var drain =
        new Thread(() -> lines.lines().forEach(line -> {}), "drain"); // its pipe must not fill up
    drain.setDaemon(true);
    drain.start();
    return new ServerProcess(process, said);
  }

  /**
   * Runs {@code partita} with {@code arguments} to its end.
   *
   * @return the lines it printed, by first word
   * @throws CommandFailure if it fails
   */
  static Map<String, String> run(List<String> arguments) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command(arguments))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    var said = new HashMap<String, String>();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(line -> {
        var words = line.strip().split("\\s+", 2);
        if (words.length == 2) {
          said.put(words[0], words[1]);
        }
      });
    }
    int code = process.waitFor();
    if (code != 0) {
      throw new CommandFailure("'partita " + String.join(" ", arguments) + "' ended with " + code);
    }
    return said;
  }

  /** How to run another command of this build: through the launcher, or as this JVM was started. */
  static List<String> command(List<String> arguments) {
    var command = new ArrayList<String>();
    var launcher = System.getProperty("partita.launcher");
    if (launcher != null) {
      command.add(launcher);
    } else {
      command.add(ProcessHandle.current().info().command().orElse("java"));
      command.add("-Djava.util.concurrent.ForkJoinPool.common.parallelism=2");
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(PartitaCommand.class.getName());
    }
    command.addAll(arguments);
    return command;
  }

  long pid() {
    return process.pid();
  }

  String endpoint() {
    return said("endpoint");
  }

  String key() {
    return said("key");
  }

  private String said(String word) {
    var value = said.get(word);
    if (value == null) {
      throw new CommandFailure("the server did not say its " + word);
    }
    return value;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
