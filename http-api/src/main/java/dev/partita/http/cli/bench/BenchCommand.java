package dev.partita.http.cli.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.partita.http.cli.AccountOptions;
import dev.partita.http.cli.client.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code partita bench}: what this build does on this machine. */
@Command(
    name = "bench",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    header = "Measure throughput, latency and server CPU per operation.",
    description = {
      "",
      "Measures writes, point reads and a half-and-half mix over HTTP, in a closed loop: each connection",
      "sends its next request when it has the answer to the last. In the same run it takes two yardsticks:",
      "an empty Akka HTTP route, and the same bytes straight into the log and the item store of four",
      "replicas. The server CPU per operation is the figure that holds on a noisy machine.",
      ""
    },
    footer = {
      "",
      "Without --server-pid it starts a server of its own, on an empty directory, and removes it afterwards.",
      "",
      "Examples:",
      "  partita bench                                  64 connections, 1 KB items",
      "  partita bench --seconds 60 --out bench.json",
      "  partita bench --startup 10                     start-up times only",
      "  partita bench --server-pid 4711 --endpoint http://127.0.0.1:8081/ --key \"$KEY\""
    })
public final class BenchCommand implements Callable<Integer> {
  @Spec
  private @Nullable CommandSpec spec;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "64",
      description = "Default: ${DEFAULT-VALUE}")
  private int connections;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Measured time of each phase. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "8",
      description = "Seconds before that, not measured. Default: ${DEFAULT-VALUE}")
  private int warmUp;

  @Option(
      names = "--item-bytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Size of an item. Default: ${DEFAULT-VALUE}")
  private int itemBytes;

  @Option(
      names = "--throughput",
      paramLabel = "RU/S",
      defaultValue = "10000",
      description =
          "Of the container; one physical partition per 10,000. Default: ${DEFAULT-VALUE}")
  private int throughput;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where data is written; on the disk to be measured. Default: /tmp")
  private @Nullable Path directory;

  @Option(
      names = "--server-pid",
      paramLabel = "PID",
      description = "Measure this running node, see --endpoint.")
  private @Nullable Long serverPid;

  @Option(names = "--no-yardsticks", description = "Leave the two yardsticks out.")
  private boolean noYardsticks;

  @Option(
      names = "--startup",
      paramLabel = "N",
      description = "Measure only start-up: process start to ready, N times, on empty directories.")
  private @Nullable Integer startups;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the figures as JSON, too.")
  private @Nullable Path file;

  @Mixin
  private AccountOptions account = new AccountOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    var report = JsonNodeFactory.instance.objectNode();
    report.set("machine", Machine.describe(base()));
    if (startups != null) {
      report.set("startup", new StartupBench(base(), out()).run(startups));
    } else {
      var settings = new Bench.Settings(
          connections,
          Duration.ofSeconds(warmUp),
          Duration.ofSeconds(seconds),
          itemBytes,
          throughput,
          seed);
      var bench = new Bench(settings, base(), out());
      if (serverPid != null) {
        bench.measureRunning(account.endpoint(), account.key(), serverPid);
      } else {
        bench.measureOwn();
      }
      if (!noYardsticks) {
        bench.measureYardsticks();
      }
      report.setAll(bench.report());
    }
    if (file != null) {
      Files.write(
          file,
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(report));
      out().println("figures written to " + file);
    }
    return 0;
  }

  private Path base() {
    var base = directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
    if (!Files.isDirectory(base)) {
      throw new CommandFailure("there is no directory " + base);
    }
    return base;
  }

  private void check() {
    require(connections >= 1 && connections <= 1_024, "--connections is between 1 and 1024");
    require(seconds >= 1 && warmUp >= 0, "--seconds is at least 1 and --warm-up at least 0");
    require(itemBytes >= 128 && itemBytes <= 1 << 20, "--item-bytes is between 128 and 1048576");
    require(startups == null || startups >= 1, "--startup is at least 1");
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(command().commandLine(), rule);
    }
  }

  private PrintWriter out() {
    return command().commandLine().getOut();
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }
}
