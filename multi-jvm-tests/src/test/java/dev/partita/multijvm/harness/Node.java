package dev.partita.multijvm.harness;

import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node in a process of its own, over a data directory that outlives it. It may be started, killed and started again; the
 * port is another one each time unless it is fixed.
 */
public final class Node {
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration STOP_MAX = Duration.ofSeconds(30);
  private static final int LINES_KEPT = 400;

  private final Path data;
  private final List<String> flags;
  private final Map<String, String> environment;
  private final Deque<String> output = new ArrayDeque<>(); // its own monitor
  private Process process;
  private CompletableFuture<Said> said = new CompletableFuture<>();
  private Duration startTime = Duration.ZERO;

  /** What a node prints when it is ready. */
  private record Said(String endpoint, String https, String key) {}

  Node(Path data, List<String> flags, Map<String, String> environment) {
    this.data = data;
    this.flags = List.copyOf(flags);
    this.environment = Map.copyOf(environment);
  }

  /** Starts the process and waits until the node says that it is ready. */
  public Node start() {
    spawn();
    return awaitReady();
  }

  /** Starts the process and does not wait. */
  public Node spawn() {
    if (isAlive()) {
      throw new IllegalStateException("it runs already");
    }
    var arguments = new ArrayList<>(List.of("serve", "--data", data.toString()));
    if (!flags.contains("--port")) {
      arguments.addAll(List.of("--port", "0"));
    }
    arguments.addAll(flags);
    said = new CompletableFuture<>();
    long start = System.nanoTime();
    try {
      process = Launcher.process(Launcher.script(), data.getParent(), environment, arguments)
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var reader = new Thread(() -> read(process, said, start), "output-of-node");
    reader.setDaemon(true);
    reader.start();
    return this;
  }

  private void read(Process source, CompletableFuture<Said> ready, long start) {
    var endpoint = "";
    var https = "";
    var key = "";
    try (var lines = new BufferedReader(source.inputReader(StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
        var words = line.strip().split("\\s+", 2);
        if (words.length < 2) {
          continue;
        }
        switch (words[0]) {
          case "endpoint" -> endpoint = words[1];
          case "https" -> https = words[1];
          case "key" -> key = words[1];
          case "data" -> {
            startTime = Duration.ofNanos(System.nanoTime() - start);
            ready.complete(new Said(endpoint, https, key));
          }
          default -> {}
        }
      }
    } catch (IOException e) {
      keep("(output ends: " + e.getMessage() + ")");
    }
    ready.completeExceptionally(new IllegalStateException("the process ended before it was ready"));
  }

  private void keep(String line) {
    synchronized (output) {
      output.addLast(line);
      if (output.size() > LINES_KEPT) {
        output.removeFirst();
      }
    }
  }

  /** Waits until the node says that it is ready. */
  public Node awaitReady() {
    try {
      said.get(START_MAX.toSeconds(), TimeUnit.SECONDS);
      return this;
    } catch (TimeoutException | ExecutionException e) {
      throw new AssertionError(
          "the node did not become ready: " + e.getMessage() + "\n" + output(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  public Path data() {
    return data;
  }

  /** From the start of the process to its word that it is ready. */
  public Duration startTime() {
    return startTime;
  }

  public URI endpoint() {
    return URI.create(said.join().endpoint());
  }

  /** Needs {@code --tls}. */
  public URI httpsEndpoint() {
    return URI.create(said.join().https());
  }

  public String key() {
    return said.join().key();
  }

  /** A client for one thread, over HTTP. */
  public AccountClient client() {
    return new AccountClient(Endpoint.parse(endpoint().toString(), true), key());
  }

  /** What the process has printed lately. */
  public String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  /** SIGKILL; returns when the process is gone. */
  public void kill() {
    if (!isAlive()) {
      throw new AssertionError("nothing to kill: the process has ended by itself\n" + output());
    }
    process.destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM; returns the exit code when the process is gone. */
  public int terminate() {
    process.destroy();
    return awaitEnd();
  }

  /** SIGSTOP: the process stands still, its sockets stay open. */
  public void pause() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + name + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private int awaitEnd() {
    try {
      if (!process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the process did not end within " + STOP_MAX + "\n" + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Ends the process, whatever state it is in. */
  void destroy() {
    if (isAlive()) {
      process.destroyForcibly();
      awaitEnd();
    }
  }
}
