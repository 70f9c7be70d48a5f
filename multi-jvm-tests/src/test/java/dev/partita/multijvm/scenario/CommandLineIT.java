package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.partita.multijvm.harness.Launcher;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.workload.Container;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code bin/partita} as scripts use it. */
class CommandLineIT {
  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  @Test
  void statusForScripts() throws IOException {
    var node = nodes.create().start();
    try (var client = node.client()) {
      var container = Container.create(client, "db", "c", 20_000);
      for (int i = 0; i < 10; i++) {
        var item = new ObjectMapper().createObjectNode().put("id", "1").put("pk", "k" + i);
        Container.expect(container.create("k" + i, item), 201);
      }
    }
    var status = Launcher.run(
        nodes.directory(),
        "status",
        "--endpoint",
        node.endpoint().toString(),
        "--key",
        node.key(),
        "--json");
    assertThat(status.code()).as(status.err()).isZero();
    var json = new ObjectMapper().readTree(status.out());
    assertThat(json.path("nodes")).hasSize(1);
    var container = json.path("containers").get(0);
    assertThat(container.path("database").asText()).isEqualTo("db");
    assertThat(container.path("id").asText()).isEqualTo("c");
    var partitions = container.path("physicalPartitions");
    assertThat(partitions).hasSize(2);
    assertThat(partitions.get(0).path("minInclusive").asText()).isEmpty();
    assertThat(partitions.get(0).path("maxExclusive"))
        .isEqualTo(partitions.get(1).path("minInclusive"));
    assertThat(partitions.get(1).path("maxExclusive").asText()).isEqualTo("FF");
    assertThat(partitions.get(0).path("items").asInt()
            + partitions.get(1).path("items").asInt())
        .isEqualTo(10);
    assertThat(partitions).allSatisfy(partition -> {
      assertThat(partition.path("bytes").asLong()).isPositive();
      assertThat(partition.path("primary").asText()).isNotEmpty();
      assertThat(partition.path("replicas")).hasSize(4);
    });

    var table = Launcher.run(
        nodes.directory(), "status", "--endpoint", node.endpoint().toString(), "--key", node.key());
    assertThat(table.out()).contains("db/c", "REPLICAS");
  }

  @Test
  void throughASymbolicLinkFromAnotherFolder() throws IOException {
    var directory = nodes.directory();
    var link = Files.createSymbolicLink(directory.resolve("partita"), Launcher.script());
    var version = Launcher.run(link, directory, "--version");
    assertThat(version.code()).as(version.err()).isZero();
    assertThat(version.out()).startsWith("partita ");
  }

  @Test
  void whatIsWrongIsOneLine() {
    var directory = nodes.directory();
    assertThat(Launcher.run(directory, "serve", "--port", "many")).satisfies(ended -> {
      assertThat(ended.code()).isEqualTo(2);
      assertThat(ended.err().lines()).hasSize(1);
    });
    assertThat(Launcher.run(directory, "status", "--endpoint", "http://127.0.0.1:1/"))
        .satisfies(ended -> {
          assertThat(ended.code()).isEqualTo(1);
          assertThat(ended.err().lines()).hasSize(1);
        });
  }

  @Test
  void aSecondNodeOnADirectoryOrAPortIsRefusedInOneLine() {
    var node = nodes.create().start();
    var sameData = Launcher.run(
        nodes.directory(), "serve", "--port", "0", "--data", node.data().toString());
    assertThat(sameData.code()).isEqualTo(1);
    assertThat(sameData.err().lines())
        .singleElement()
        .asString()
        .startsWith("partita serve: ")
        .contains(node.data().toString());

    var other = nodes.directory();
    var samePort = Launcher.run(
        other,
        "serve",
        "--port",
        String.valueOf(node.endpoint().getPort()),
        "--data",
        other.resolve("d").toString());
    assertThat(samePort.code()).isEqualTo(1);
    assertThat(samePort.err().lines())
        .singleElement()
        .asString()
        .startsWith("partita serve: ")
        .contains("port");
    assertThat(node.isAlive()).isTrue();
  }

  @Test
  void settingsComeFromTheEnvironmentAndAFileToo() throws IOException {
    var file = Files.writeString(
        nodes.directory().resolve("node.conf"), "partita.consistency = \"Eventual\"");
    var key = "bXkgb3duIGtleSBmb3IgdGhpcyB0ZXN0";
    var node =
        nodes.create(Map.of("PARTITA_KEY", key), "--config", file.toString()).start();
    assertThat(node.key()).isEqualTo(key);
    try (var client = node.client()) {
      var account = client.send("GET", "", "", "/", Map.of(), new byte[0]);
      assertThat(account
              .json()
              .path("userConsistencyPolicy")
              .path("defaultConsistencyLevel")
              .asText())
          .isEqualTo("Eventual");
    }
  }
}
