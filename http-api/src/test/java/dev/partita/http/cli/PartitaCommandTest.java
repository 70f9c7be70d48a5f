package dev.partita.http.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitaCommandTest {
  private final Terminal terminal = new Terminal();

  @ParameterizedTest(name = "partita {0}")
  @CsvSource(delimiter = '|', textBlock = """
          ''                                                        | which command
          frobnicate                                                | frobnicate
          serve --port 99999                                        | between 0 and 65535
          serve --port many                                         | 'many' is not an int
          serve --tls --https-port 1                                | mutually exclusive
          load                                                      | FILE
          load f --database d --container c --concurrency 0         | between 1 and 1024
          load f --database d --container c --partition-key country | a path such as /country
          load f --database d --container c --partition-key /a,/b,/c,/d | at most three
          bench --connections 0                                     | between 1 and 1024
          status --port 1                                           | --port
          """)
  void wrongArgumentsAreOneLineAndCode2(String arguments, String reason) {
    assertThat(terminal.run(arguments.isEmpty() ? new String[0] : arguments.split(" ")))
        .isEqualTo(2);
    assertThat(terminal.err().lines())
        .singleElement()
        .asString()
        .startsWith("partita")
        .contains(reason, "--help");
    assertThat(terminal.out()).isEmpty();
  }

  @ParameterizedTest(name = "partita {0}")
  @CsvSource(delimiter = '|', textBlock = """
          status --endpoint localhost:8081                          | is not an endpoint
          status --endpoint ftp://localhost                         | is not an endpoint
          status --endpoint http://localhost/dbs                    | is not an endpoint
          status --key %%%                                          | not an account key
          load no-such-file --database d --container c              | no such file
          serve --config no-such-file.conf                          | cannot read the configuration file
          bench --directory no-such-directory                       | there is no directory
          """)
  void whatCannotBeDoneIsOneLineAndCode1(String arguments, String reason) {
    assertThat(terminal.run(arguments.split(" "))).isEqualTo(1);
    assertThat(terminal.err().lines())
        .singleElement()
        .asString()
        .startsWith("partita ")
        .contains(reason);
  }

  @Test
  void noNodeIsOneLine() throws IOException {
    int nobody;
    try (var socket = new ServerSocket(0)) {
      nobody = socket.getLocalPort();
    }
    assertThat(terminal.run("status", "--endpoint", "http://127.0.0.1:" + nobody))
        .isEqualTo(1);
    assertThat(terminal.err().lines())
        .singleElement()
        .asString()
        .contains("no node answers at", "refused");
  }

  @Test
  void verboseAddsTheStackTrace(@TempDir Path directory) {
    var file = directory.resolve("absent.conf").toString();
    assertThat(terminal.run("serve", "--config", file, "--verbose")).isEqualTo(1);
    assertThat(terminal.err().lines()).hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "load", "status", "bench"})
  void everyCommandTeachesItself(String command) {
    assertThat(terminal.run(command, "--help")).isZero();
    assertThat(terminal.out()).contains("Examples:", "partita " + command, "--help");
  }

  @Test
  void hiddenCommandsStayOutOfTheHelp() {
    assertThat(terminal.run("--help")).isZero();
    assertThat(terminal.out())
        .contains("serve", "load", "status", "bench", "A first session:")
        .doesNotContain("empty-route");
  }
}
