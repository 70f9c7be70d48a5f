package dev.partita.http.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
  private static final String STATUS = """
      {"nodes":[{"address":"127.0.0.1:25520","state":"UP","stores":["s1"]}],
       "containers":[{"database":"world","id":"cities","physicalPartitions":[
         {"id":1,"minInclusive":"","maxExclusive":"1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","items":171075,"bytes":20529000,
          "primary":"127.0.0.1:25520","state":"DEGRADED",
          "replicas":[{"store":"s1","state":"UP","applied":12},{"store":"s2","state":"DOWN","applied":9}]},
         {"id":2,"minInclusive":"1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","maxExclusive":"FF","items":7,"bytes":900,
          "primary":"","state":"RECOVERING","replicas":[]}]}]}""";

  private final Terminal terminal = new Terminal();
  private FakeAccount account;

  @BeforeEach
  void start() throws IOException {
    account = new FakeAccount();
  }

  @AfterEach
  void stop() {
    account.close();
  }

  @Test
  void aTableForPeople() {
    account.status(STATUS);
    assertThat(terminal.run("status", "--endpoint", account.endpoint())).isZero();
    assertThat(terminal.out()).isEqualTo("""
        node 127.0.0.1:25520  UP

        CONTAINER     ID  FROM             TO                 ITEMS       BYTES  STATE       PRIMARY          REPLICAS (APPLIED LSN)
        world/cities  1   -                1FFFFFFFFFFF...  171,075  20,529,000  DEGRADED    127.0.0.1:25520  12, 9 DOWN
        world/cities  2   1FFFFFFFFFFF...  FF                     7         900  RECOVERING  none
        """);
  }

  @Test
  void theAnswerAsItIsForScripts() {
    account.status(STATUS);
    assertThat(terminal.run("status", "--endpoint", account.endpoint(), "--json"))
        .isZero();
    assertThat(terminal.out()).isEqualTo(STATUS + "\n");
  }

  @Test
  void nothingYet() {
    assertThat(terminal.run("status", "--endpoint", account.endpoint())).isZero();
    assertThat(terminal.out()).isEqualTo("no containers yet\n");
  }
}
