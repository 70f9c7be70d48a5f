package dev.partita.http.cli.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The first yardstick of {@code bench}, in a process of its own so that its CPU is its own. */
@Command(
    name = "bench-raw-limit",
    hidden = true,
    description = "Writes to log and item store, and prints figures.")
public final class RawLimitCommand implements Callable<Integer> {
  @Spec
  private @Nullable CommandSpec spec;

  @Option(names = "--directory", required = true)
  private Path directory = Path.of("");

  @Option(names = "--batch", required = true)
  private int batch;

  @Option(names = "--item-bytes", required = true)
  private int itemBytes;

  @Option(names = "--warm-up", required = true)
  private int warmUp;

  @Option(names = "--seconds", required = true)
  private int seconds;

  @Override
  public Integer call() throws InterruptedException {
    try (var raw = new RawLimit(directory, batch, itemBytes)) {
      var measured = raw.run(Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
      var out = Objects.requireNonNull(spec, "picocli sets it").commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "items %d%nnanos %d%ncpu-nanos %d%n",
          measured.items(),
          measured.window().toNanos(),
          measured.cpu().toNanos());
      out.flush();
    }
    return 0;
  }
}
