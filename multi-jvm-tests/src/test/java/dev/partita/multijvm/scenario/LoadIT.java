package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.multijvm.harness.Launcher;
import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.Status;
import dev.partita.multijvm.workload.Container;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@code partita load} of a file of cities by country: few countries with many, many with few. Here the file is small and
 * made up; {@code -Dpartita.cities=FILE} takes a real one.
 */
class LoadIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SMALL = 4_000;
  private static final int LONGER = 20_000;
  private static final List<String> SYSTEM_PROPERTIES =
      List.of("_rid", "_self", "_etag", "_ts", "_attachments");

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  private Path directory;

  @BeforeEach
  void makeDirectory() {
    directory = nodes.directory();
  }

  @Test
  void everyItemIsThereAlsoAfterKill9() throws IOException {
    var cities = System.getProperty("partita.cities", "");
    var file = cities.isBlank() ? made(SMALL) : Path.of(cities).toAbsolutePath();
    var source = source(file);
    var node = nodes.create().start();

    var loaded = load(node, file);
    assertThat(loaded.code()).as(loaded.err()).isZero();
    System.out.print(loaded.out());
    var before = stored(node, source);
    assertThat(counts(before)).as("items by country").isEqualTo(counts(source));
    assertThat(withoutSystemProperties(before).equals(source))
        .as("what the file says")
        .isTrue();

    node.kill();
    node.start();
    var after = stored(node, source);
    assertThat(counts(after)).as("items by country").isEqualTo(counts(before));
    assertThat(after.equals(before)).as("byte for byte, etags and all").isTrue();
  }

  @Test
  void aLoadThatWasKilledGoesOnWithoutDuplicates() throws Exception {
    var file = made(LONGER);
    var source = source(file);
    var node = nodes.create().start();
    var process = new ProcessBuilder(command(node, file)).directory(directory.toFile());
    process.environment().put("PARTITA_BUILD", "never");
    process.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
    var first = process
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("first.log").toFile())
        .start();
    try {
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !first.isAlive()
              || (Files.exists(directory.resolve("state")) && items(node) > LONGER / 10));
      assertThat(first.isAlive()).as("it was killed in the middle").isTrue();
    } finally {
      first.destroyForcibly().waitFor();
    }

    var second = load(node, file);
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.err()).contains("going on after line ");
    assertThat(Status.of(node, "world", "cities").items()).isEqualTo(LONGER);
    assertThat(withoutSystemProperties(stored(node, source)).equals(source))
        .as("what the file says")
        .isTrue();
  }

  @Test
  void aLoadOutlivesItsNode() throws Exception {
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var file = made(LONGER);
    var node = nodes.create("--port", String.valueOf(port)).start();
    var process = new ProcessBuilder(command(node, file)).directory(directory.toFile());
    process.environment().put("PARTITA_BUILD", "never");
    process.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
    var log = directory.resolve("load.log");
    var load = process.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> !load.isAlive() || items(node) > LONGER / 10);
      assertThat(load.isAlive()).as("the node is killed in the middle").isTrue();
      node.kill();
      node.start();
      assertThat(load.waitFor()).as(Files.readString(log)).isZero();
    } finally {
      load.destroyForcibly();
    }
    assertThat(Status.of(node, "world", "cities").items()).isEqualTo(LONGER);
  }

  private long items(Node node) {
    try {
      return Status.of(node, "world", "cities").items();
    } catch (IOException | AssertionError e) {
      return 0; // not made yet
    }
  }

  private Launcher.Ended load(Node node, Path file) {
    return Launcher.run(directory, arguments(node, file));
  }

  private static List<String> command(Node node, Path file) {
    var command = new ArrayList<>(List.of(Launcher.script().toString()));
    command.addAll(List.of(arguments(node, file)));
    return command;
  }

  private static String[] arguments(Node node, Path file) {
    return new String[] {
      "load",
      file.toString(),
      "--endpoint",
      node.endpoint().toString(),
      "--key",
      node.key(),
      "--database",
      "world",
      "--container",
      "cities",
      "--partition-key",
      "/country",
      "--throughput",
      "20000"
    };
  }

  /** Lines of a skewed file: country n has about half as many cities as country n - 1, down to one. */
  private Path made(int count) throws IOException {
    var file = directory.resolve("cities-" + count + ".jsonl.gz");
    var random = new SplittableRandom(count);
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < count; i++) {
        int country =
            Math.min(40, Long.numberOfLeadingZeros(random.nextLong()) * 2 + random.nextInt(2));
        var line = String.format(
            "{\"id\":\"%06d\",\"name\":\"Città %d\",\"country\":\"C%d\",\"location\":{\"type\":\"Point\",\"coordinates\":[%s,%s]}}\n",
            i,
            i,
            country,
            random.nextInt(-180_000, 180_000) / 1e3,
            random.nextInt(-90_000, 90_000) / 1e3);
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  private static Map<String, Integer> counts(Map<String, Map<String, String>> items) {
    var counts = new TreeMap<String, Integer>();
    items.forEach((country, cities) -> counts.put(country, cities.size()));
    return counts;
  }

  /** Items of the file by country and id. */
  private static Map<String, Map<String, String>> source(Path file) throws IOException {
    var all = new TreeMap<String, Map<String, String>>();
    try (var lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var item = JSON.readTree(line);
        all.computeIfAbsent(item.path("country").asText(), country -> new TreeMap<>())
            .put(item.path("id").asText(), item.toString());
      }
    }
    return all;
  }

  /** Items of the node by country and id, as text, system properties and all. */
  private static Map<String, Map<String, String>> stored(
      Node node, Map<String, Map<String, String>> source) throws IOException {
    var all = new TreeMap<String, Map<String, String>>();
    try (var client = node.client()) {
      var container = new Container(client, "world", "cities");
      for (var country : source.keySet()) {
        var items = container.list(country);
        var byId = new TreeMap<String, String>();
        for (var item : items) {
          byId.put(item.path("id").asText(), item.toString());
        }
        assertThat(byId).as("no id twice in %s", country).hasSameSizeAs(items);
        all.put(country, byId);
      }
    }
    return all;
  }

  private static Map<String, Map<String, String>> withoutSystemProperties(
      Map<String, Map<String, String>> stored) throws IOException {
    var all = new TreeMap<String, Map<String, String>>();
    for (var country : stored.entrySet()) {
      var items = new TreeMap<String, String>();
      for (var item : country.getValue().entrySet()) {
        JsonNode own = ((ObjectNode) JSON.readTree(item.getValue())).remove(SYSTEM_PROPERTIES);
        items.put(item.getKey(), own.toString());
      }
      all.put(country.getKey(), items);
    }
    return all;
  }
}
