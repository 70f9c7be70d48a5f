package dev.partita.http.cli.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.client.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Time from the start of a process to 200 from {@code /_partita/ready}, on an empty directory. */
final class StartupBench {
  private static final long MILLIS_MAX = 120_000;

  private final Path base;
  private final PrintWriter out;

  StartupBench(Path base, PrintWriter out) {
    this.base = base;
    this.out = out;
  }

  ObjectNode run(int times) throws IOException {
    var histogram = new Histogram(MILLIS_MAX, 3);
    var json = JsonNodeFactory.instance.objectNode();
    var all = json.putArray("millis");
    for (int i = 0; i < times; i++) {
      long millis = once();
      histogram.recordValue(Math.min(millis, MILLIS_MAX));
      all.add(millis);
      out.printf(Locale.ROOT, "start %d: ready after %,d ms%n", i + 1, millis);
      out.flush();
    }
    out.printf(
        Locale.ROOT,
        "start to ready: median %,d ms, p95 %,d ms, max %,d ms%n",
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(95),
        histogram.getMaxValue());
    out.flush();
    return json.put("median", histogram.getValueAtPercentile(50))
        .put("p95", histogram.getValueAtPercentile(95));
  }

  private long once() throws IOException {
    var data = Files.createTempDirectory(base, "partita-start");
    try {
      long start = System.nanoTime();
      try (var server =
              ServerProcess.start(List.of("serve", "--port", "0", "--data", data.toString()));
          var client = new AccountClient(Endpoint.parse(server.endpoint(), false), server.key())) {
        // It says where it listens when it is ready; the question is whether it says so over HTTP,
        // too.
        var reply = client.admin("/_partita/ready");
        long millis = (System.nanoTime() - start) / 1_000_000;
        if (reply.status() != 200) {
          throw new CommandFailure(
              "the server said that it was ready, but /_partita/ready answered " + reply.error());
        }
        return millis;
      }
    } finally {
      Machine.delete(data);
    }
  }
}
