package dev.partita.http.cli.load;

import dev.partita.http.cli.AccountOptions;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.load.LineLedger.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code partita load}: a file of JSON lines into a container. */
@Command(
    name = "load",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    header = "Load a file of JSON items into a container.",
    description = {
      "",
      "Takes a file of JSON items, one a line, plain or gzip. Database and container are made when they",
      "are missing. Items that exist already are replaced, so loading a file twice makes no duplicates;",
      "after an interruption the same command goes on where it was stopped.",
      ""
    },
    footer = {
      "",
      "A line that is not a JSON object with a text \"id\", or that the node refuses, is reported by number",
      "and skipped; the exit code is then 1. If two lines are the same item, the later one wins.",
      "How far a load came is kept in $XDG_STATE_HOME/partita (~/.local/state/partita).",
      "",
      "Examples:",
      "  partita load cities.jsonl.gz --database world --container cities --partition-key /country",
      "  partita load orders.jsonl --database shop --container orders --partition-key /tenant,/user \\",
      "               --throughput 40000                  a hierarchical key, four physical partitions",
      "  zcat big.gz | partita load - --database d --container c --partition-key /pk"
    })
public final class LoadCommand implements Callable<Integer> {
  private static final int CONCURRENCY_MAX = 1_024;

  @Spec
  private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file; - is the standard input.")
  private String file = "";

  @Option(names = "--database", required = true, paramLabel = "NAME", description = "Database.")
  private String database = "";

  @Option(names = "--container", required = true, paramLabel = "NAME", description = "Container.")
  private String container = "";

  @Option(
      names = "--partition-key",
      paramLabel = "PATH",
      split = ",",
      description = {
        "Path of the partition key, such as /country; up to three, with commas,",
        "for a hierarchical key. Not needed when the container exists."
      })
  private List<String> paths = List.of();

  @Option(
      names = "--throughput",
      paramLabel = "RU/S",
      description = "Throughput of a new container; one physical partition per 10,000.")
  private @Nullable Integer throughput;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "32",
      description = "How many requests are under way at once. Default: ${DEFAULT-VALUE}")
  private int concurrency;

  @Option(
      names = "--restart",
      description = "Begin at the first line, whatever an earlier run did.")
  private boolean restart;

  @Mixin
  private AccountOptions account = new AccountOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    boolean standardInput = file.equals("-");
    var path = Path.of(file);
    if (!standardInput && !Files.isRegularFile(path)) {
      throw new CommandFailure("cannot read " + file + ": there is no such file");
    }
    var target = prepare();
    var checkpoint = standardInput
        ? null
        : Checkpoint.of(
            stateDirectory(), path, account.endpoint().toString(), target.incarnation());
    try (var lines = LineReader.open(standardInput ? System.in : open(path))) {
      return load(lines, standardInput ? 0 : Files.size(path), target, checkpoint);
    } catch (ZipException e) {
      throw new CommandFailure(file + " is damaged: " + e.getMessage(), e);
    }
  }

  private int load(LineReader lines, long bytesAll, Target target, @Nullable Checkpoint checkpoint)
      throws IOException, InterruptedException {
    var start = checkpoint == null || restart
        ? new Position(0, 0)
        : checkpoint.read().orElse(new Position(0, 0));
    var display = new ProgressDisplay(err());
    if (start.line() > 0) {
      display.note("going on after line " + start.line() + " (--restart begins at the first)");
    }
    var loader = new Loader(
        lines,
        new ItemParser(target.paths()),
        () -> new Upserts(account.client(), target.name()),
        concurrency,
        start,
        (line, why) -> display.note("line " + line + ": " + why));
    try (var monitor = LoadMonitor.start(loader, lines, bytesAll, display, checkpoint)) {
      loader.run();
      monitor.completed();
      out().println(ProgressLine.summary(loader.counts(), monitor.elapsed()));
      out().flush();
    }
    return loader.counts().rejected() + start.rejected() == 0 ? 0 : 1;
  }

  private void check() {
    if (concurrency < 1 || concurrency > CONCURRENCY_MAX) {
      throw wrong("--concurrency is between 1 and " + CONCURRENCY_MAX + ", not " + concurrency);
    }
    if (paths.size() > 3) {
      throw wrong("a partition key has at most three paths");
    }
    for (var path : paths) {
      if (!path.startsWith("/") || path.length() < 2 || path.endsWith("/")) {
        throw wrong("--partition-key is a path such as /country, not '" + path + "'");
      }
    }
  }

  private Target prepare() {
    try (var client = account.client()) {
      return Target.prepare(client, database, container, paths, throughput);
    } catch (IOException e) {
      throw new CommandFailure(
          "no node answers at " + account.endpoint() + ": " + e.getMessage(), e);
    }
  }

  private static InputStream open(Path path) {
    try {
      return Files.newInputStream(path);
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private static Path stateDirectory() {
    var own = System.getProperty("partita.state");
    if (own != null) {
      return Path.of(own);
    }
    var base = System.getenv("XDG_STATE_HOME");
    return base == null || base.isBlank()
        ? Path.of(System.getProperty("user.home"), ".local", "state", "partita")
        : Path.of(base, "partita");
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private PrintWriter out() {
    return command().commandLine().getOut();
  }

  private PrintWriter err() {
    return command().commandLine().getErr();
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }
}
