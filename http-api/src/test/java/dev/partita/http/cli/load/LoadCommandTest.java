package dev.partita.http.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.cli.FakeAccount;
import dev.partita.http.cli.FakeAccount.Fault;
import dev.partita.http.cli.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadCommandTest {
  private static final int MANY = 300;

  @TempDir
  Path directory;

  private FakeAccount account;
  private final Terminal terminal = new Terminal();

  @BeforeEach
  void start() throws IOException {
    account = new FakeAccount();
    System.setProperty("partita.state", directory.resolve("state").toString());
  }

  @AfterEach
  void stop() {
    account.close();
    System.clearProperty("partita.state");
  }

  @Test
  void makesDatabaseAndContainerAndLoadsEveryLine() throws IOException {
    assertThat(load(file(items(MANY)), "--partition-key", "/pk", "--throughput", "40000"))
        .isZero();
    var container = account.container("/dbs/my db/colls/items");
    assertThat(container.path("partitionKey").toString())
        .isEqualTo("{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}");
    assertThat(container.path("throughput").asText()).isEqualTo("40000");
    assertThat(account.items())
        .hasSize(MANY)
        .containsEntry("[\"k1\"] 1", "{\"id\":\"1\",\"pk\":\"k1\"}");
    assertThat(terminal.out())
        .startsWith("loaded 300 items (300 new, 0 replaced) in ")
        .endsWith("; 0 lines rejected\n");
    assertThat(account.unsigned()).isEmpty();
  }

  @Test
  void gzipWhateverItsName() throws IOException {
    var path = directory.resolve("items.txt");
    try (var out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(String.join("\n", items(MANY)).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(load(path, "--partition-key", "/pk")).isZero();
    assertThat(account.items()).hasSize(MANY);
  }

  @Test
  void badLinesAreReportedByNumberAndSkipped() throws IOException {
    account.faults((request, id) -> id.equals("2") ? Fault.REFUSED : Fault.NONE);
    var lines = List.of(
        "{\"id\":\"0\"}", "nonsense", "", "{\"id\":\"2\"}", "{\"pk\":\"a\"}", "{\"id\":\"5\"}");
    assertThat(load(file(lines), "--partition-key", "/pk")).isEqualTo(1);
    assertThat(account.items()).containsOnlyKeys("[{}] 0", "[{}] 5");
    assertThat(terminal.err().lines())
        .anyMatch(line -> line.startsWith("line 2: not JSON"))
        .contains("line 4: 413 RequestEntityTooLarge: over 2 MB", "line 5: no \"id\"")
        .hasSize(3);
    assertThat(terminal.out()).contains("loaded 2 items", "3 lines rejected");
  }

  @Test
  void throttlingFailuresAndLostAnswersLoseAndDoubleNothing() throws IOException {
    account.faults((request, id) -> switch (request % 7) {
      case 2 -> Fault.THROTTLED;
      case 4 -> Fault.UNAVAILABLE;
      case 6 -> Fault.LOST_ANSWER;
      default -> Fault.NONE;
    });
    assertThat(load(file(items(MANY)), "--partition-key", "/pk")).isZero();
    assertThat(account.items()).hasSize(MANY);
    assertThat(account.itemRequests()).as("some were sent again").isGreaterThan(MANY);
    assertThat(terminal.out()).startsWith("loaded 300 items");
  }

  @Test
  void ofTwoLinesForOneItemTheLaterWins() throws IOException {
    account.faults(
        (request, id) -> request % 2 == 0 ? Fault.THROTTLED : Fault.NONE); // retries overtake
    var lines = new ArrayList<String>();
    for (int version = 0; version < 40; version++) {
      lines.add("{\"id\":\"same\",\"pk\":1,\"version\":" + version + "}");
    }
    assertThat(load(file(lines), "--partition-key", "/pk")).isZero();
    assertThat(account.items()).containsOnlyKeys("[1] same").containsValue(lines.get(39));
    assertThat(terminal.out()).startsWith("loaded 40 items (1 new, 39 replaced)");
  }

  @Test
  void goesOnWhereItWasStopped() throws IOException {
    var file = file(items(MANY));
    account.faults((request, id) -> request >= 200 ? Fault.UNAUTHORIZED : Fault.NONE);
    assertThat(load(file, "--partition-key", "/pk")).isEqualTo(1);
    assertThat(terminal.err())
        .containsPattern("partita load: stopped at line \\d+: 401 Unauthorized: wrong key");

    account.faults((request, id) -> Fault.NONE);
    int before = account.itemRequests();
    assertThat(load(file, "--partition-key", "/pk")).isZero();
    assertThat(account.items()).hasSize(MANY);
    assertThat(account.itemRequests() - before).as("it did not begin again").isLessThan(MANY);
    assertThat(terminal.err()).contains("going on after line ");

    before = account.itemRequests();
    assertThat(load(file, "--partition-key", "/pk"))
        .as("a whole load leaves no checkpoint")
        .isZero();
    assertThat(account.itemRequests() - before).isEqualTo(MANY);
    assertThat(account.items()).hasSize(MANY);
  }

  @Test
  void linesRejectedBeforeAnInterruptionStillCount() throws IOException {
    var lines = new ArrayList<String>(List.of("nonsense"));
    lines.addAll(items(MANY));
    account.faults((request, id) -> request >= 200 ? Fault.UNAUTHORIZED : Fault.NONE);
    assertThat(load(file(lines), "--partition-key", "/pk")).isEqualTo(1);
    account.faults((request, id) -> Fault.NONE);
    assertThat(load(directory.resolve("items.jsonl"), "--partition-key", "/pk")).isEqualTo(1);
  }

  @Test
  void anExistingContainerKeepsItsPartitionKey() throws IOException {
    assertThat(load(file(items(1)), "--partition-key", "/pk")).isZero();
    assertThat(load(file(items(2)))).as("the container's own").isZero();
    assertThat(account.items()).hasSize(2);
    assertThat(load(file(items(3)), "--partition-key", "/other")).isEqualTo(1);
    assertThat(terminal.err()).contains("the partition key of items is /pk, not /other");
  }

  @Test
  void aContainerIsNotMadeWithoutAPartitionKey() throws IOException {
    assertThat(load(file(items(1)))).isEqualTo(1);
    assertThat(terminal.err()).contains("name a --partition-key");
  }

  @Test
  void aDamagedFileIsOneLine() throws IOException {
    var path = Files.write(
        directory.resolve("x.gz"), new byte[] {0x1F, (byte) 0x8B, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
    assertThat(load(path, "--partition-key", "/pk")).isEqualTo(1);
    assertThat(terminal.err().lines()).singleElement().asString().contains("x.gz is damaged");
  }

  private int load(Path file, String... more) {
    var arguments = new ArrayList<>(List.of(
        "load",
        file.toString(),
        "--endpoint",
        account.endpoint(),
        "--database",
        "my db",
        "--container",
        "items",
        "--concurrency",
        "4"));
    arguments.addAll(List.of(more));
    return terminal.run(arguments.toArray(String[]::new));
  }

  private static List<String> items(int count) {
    var lines = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      lines.add("{\"id\":\"" + i + "\",\"pk\":\"k" + i % 5 + "\"}");
    }
    return lines;
  }

  private Path file(List<String> lines) throws IOException {
    return Files.write(directory.resolve("items.jsonl"), lines);
  }
}
