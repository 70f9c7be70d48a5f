package dev.partita.http.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.http.cli.client.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeSettingsTest {
  @TempDir
  Path directory;

  @Test
  void whatIsNearerToTheStartWins() throws IOException {
    var file = Files.writeString(
        directory.resolve("node.conf"),
        "partita { http { host = file, port = 1, https-port = 1 }, data-directory = ${user.home}/p }");
    var settings = ServeSettings.resolve(
        Map.of("partita.http.port", 3),
        Map.of("PARTITA_PORT", "2", "PARTITA_HTTPS_PORT", "2"),
        file);
    assertThat(settings.getInt("partita.http.port")).isEqualTo(3);
    assertThat(settings.getInt("partita.http.https-port")).isEqualTo(2);
    assertThat(settings.getString("partita.http.host")).isEqualTo("file");
    assertThat(settings.getString("partita.data-directory"))
        .isEqualTo(System.getProperty("user.home") + "/p");
    assertThat(settings.hasPath("akka.actor.provider"))
        .as("what is built in comes last")
        .isTrue();
  }

  @Test
  void anEmptyVariableIsNotThere() {
    var settings =
        ServeSettings.resolve(Map.of("partita.http.port", 3), Map.of("PARTITA_PORT", ""), null);
    assertThat(settings.getInt("partita.http.port")).isEqualTo(3);
  }

  @Test
  void aFileWithAMistakeIsNamed() throws IOException {
    var file = Files.writeString(directory.resolve("node.conf"), "partita { http { port = 1 ");
    assertThatThrownBy(() -> ServeSettings.resolve(Map.of(), Map.of(), file))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("node.conf");
  }
}
