package dev.partita.http.cli.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.client.Endpoint;
import dev.partita.http.cli.client.Reply;
import dev.partita.http.cli.client.RequestSigner;
import dev.partita.http.cli.client.ResourceName;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs the phases one after the other and collects their figures. */
final class Bench {
  /**
   * How to measure.
   *
   * @param throughput of the container, in request units a second
   */
  record Settings(
      int connections,
      Duration warmUp,
      Duration measured,
      int itemBytes,
      int throughput,
      long seed) {}

  private static final String WRITES = "writes";
  private static final String READS = "point reads";
  private static final String MIX = "mix 50/50";
  private static final String EMPTY_WRITES = "empty route, POST";
  private static final String EMPTY_READS = "empty route, GET";

  private final Settings settings;
  private final Path base;
  private final PrintWriter out;
  private final List<PhaseResult> results = new ArrayList<>();
  private double rawPerSecond;
  private double rawCpuMicros;

  Bench(Settings settings, Path base, PrintWriter out) {
    this.settings = settings;
    this.base = base;
    this.out = out;
  }

  /** Measures a server that it starts on an empty directory. */
  void measureOwn() throws IOException {
    var data = Files.createTempDirectory(base, "partita-bench");
    try {
      try (var server =
          ServerProcess.start(List.of("serve", "--port", "0", "--data", data.toString()))) {
        measureRunning(Endpoint.parse(server.endpoint(), false), server.key(), server.pid());
      }
    } finally {
      Machine.delete(data);
    }
  }

  /** Measures a server that runs already. */
  void measureRunning(Endpoint endpoint, String key, long pid) throws IOException {
    var container = container(endpoint, key);
    try (var generator = LoadGenerator.connect(address(endpoint), settings.connections())) {
      var requests = new ItemRequests(
          endpoint, key, container, settings.itemBytes(), settings.connections(), settings.seed());
      phase(WRITES, generator, requests.writes(), pid);
      phase(READS, generator, requests.reads(), pid);
      phase(MIX, generator, requests.mix(), pid);
    }
  }

  /** Measures what the figures are held against. */
  void measureYardsticks() throws IOException, InterruptedException {
    measureRawLimit();
    measureEmptyRoute();
    ratio(WRITES, EMPTY_WRITES);
    ratio(READS, EMPTY_READS);
    var writes = named(WRITES);
    out.printf(
        Locale.ROOT,
        "%s: %.0f%% of the throughput of log and item store alone, %.1f times their CPU%n",
        WRITES,
        100 * writes.measured().perSecond() / rawPerSecond,
        writes.cpuMicros() / rawCpuMicros);
    out.flush();
  }

  private void measureRawLimit() throws IOException, InterruptedException {
    var directory = Files.createTempDirectory(base, "partita-raw");
    try {
      var said = ServerProcess.run(List.of(
          "bench-raw-limit",
          "--directory",
          directory.toString(),
          "--batch",
          String.valueOf(settings.connections()),
          "--item-bytes",
          String.valueOf(settings.itemBytes()),
          "--warm-up",
          String.valueOf(settings.warmUp().toSeconds()),
          "--seconds",
          String.valueOf(settings.measured().toSeconds())));
      double items = Double.parseDouble(said.get("items"));
      rawPerSecond = items / (Double.parseDouble(said.get("nanos")) / 1e9);
      rawCpuMicros = Double.parseDouble(said.get("cpu-nanos")) / 1e3 / items;
      out.printf(
          Locale.ROOT, "%-22s %,10.0f %12.1f%n", "log and store alone", rawPerSecond, rawCpuMicros);
      out.flush();
    } finally {
      Machine.delete(directory);
    }
  }

  private void measureEmptyRoute() throws IOException {
    try (var server = ServerProcess.start(List.of("bench-empty-route"))) {
      var endpoint = Endpoint.parse(server.endpoint(), false);
      var name = ResourceName.database("bench").container("empty");
      try (var generator = LoadGenerator.connect(address(endpoint), settings.connections())) {
        // The same requests, signed and all; no answer of this server says 201, so reads need a
        // number to ask for.
        var requests = new ItemRequests(
            endpoint,
            RequestSigner.WELL_KNOWN_KEY,
            name,
            settings.itemBytes(),
            settings.connections(),
            settings.seed());
        phase(EMPTY_WRITES, generator, requests.writes(), server.pid());
        requests.assumeWritten(1_000);
        phase(EMPTY_READS, generator, requests.reads(), server.pid());
      }
    }
  }

  /** All figures. */
  ObjectNode report() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("connections", settings.connections());
    json.put("itemBytes", settings.itemBytes());
    var phases = json.putArray("phases");
    results.forEach(result -> phases.add(result.json()));
    if (rawPerSecond > 0) {
      json.putObject("logAndStoreAlone")
          .put("perSecond", rawPerSecond)
          .put("cpuMicrosPerOperation", rawCpuMicros);
    }
    return json;
  }

  private void phase(
      String name, LoadGenerator generator, LoadGenerator.Requests requests, long pid)
      throws IOException {
    if (results.isEmpty()) {
      out.println(PhaseResult.HEAD);
      out.flush();
    }
    var cpu = new CpuWindow(pid);
    var measured = generator.run(requests, settings.warmUp(), settings.measured(), cpu);
    if (measured.operations() == 0) {
      throw new CommandFailure(
          "no request of '" + name + "' succeeded: statuses " + measured.others());
    }
    var result = new PhaseResult(name, measured, cpu.microsPer(measured.operations()));
    results.add(result);
    out.println(result.row());
    out.flush();
  }

  private void ratio(String name, String yardstick) {
    var ours = named(name);
    var theirs = named(yardstick);
    out.printf(
        Locale.ROOT,
        "%s: %.0f%% of the throughput of '%s', %.1f times its CPU%n",
        name,
        100 * ours.measured().perSecond() / theirs.measured().perSecond(),
        yardstick,
        ours.cpuMicros() / theirs.cpuMicros());
    out.flush();
  }

  private PhaseResult named(String name) {
    return results.stream()
        .filter(result -> result.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private ResourceName container(Endpoint endpoint, String key) throws IOException {
    var database = ResourceName.database("bench");
    var id = "items-" + Long.toString(System.nanoTime(), 36);
    try (var client = new AccountClient(endpoint, key)) {
      made(client.post("dbs", ResourceName.ACCOUNT, Map.of(), bytes("{\"id\":\"bench\"}")));
      var definition = "{\"id\":\"" + id
          + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
      var throughput = Map.of("x-ms-offer-throughput", String.valueOf(settings.throughput()));
      made(client.post("colls", database, throughput, bytes(definition)));
    }
    return database.container(id);
  }

  private static void made(Reply reply) {
    if (reply.status() != 201 && reply.status() != 409) {
      throw new CommandFailure("the container for the benchmark cannot be made: " + reply.error());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static InetSocketAddress address(Endpoint endpoint) {
    return new InetSocketAddress(endpoint.host(), endpoint.port());
  }

  /** CPU of the server between the edges of the measured window. */
  private static final class CpuWindow implements LoadGenerator.Window {
    private final long pid;
    private Duration atStart = Duration.ZERO;
    private Duration atEnd = Duration.ZERO;

    CpuWindow(long pid) {
      this.pid = pid;
    }

    @Override
    public void opened() {
      atStart = Machine.cpu(pid);
    }

    @Override
    public void closed() {
      atEnd = Machine.cpu(pid);
    }

    double microsPer(long operations) {
      return atEnd.isZero() ? Double.NaN : atEnd.minus(atStart).toNanos() / 1e3 / operations;
    }
  }
}
