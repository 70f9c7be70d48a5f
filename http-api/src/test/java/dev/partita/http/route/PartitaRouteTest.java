package dev.partita.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.Call.Answer;
import dev.partita.http.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartitaRouteTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void u90ProbesNeedNoKeyAndKeepTheirShape() {
    Answer health = server.get("/_partita/health").unsigned().expect(200);
    assertThat(health.text()).isEqualTo("{\"status\":\"up\"}");
    assertThat(server.get("/_partita/ready").unsigned().expect(200).text())
        .isEqualTo("{\"status\":\"ready\"}");
    server.partita.ready = false;
    assertThat(server
            .get("/_partita/ready")
            .unsigned()
            .expect(503)
            .json()
            .get("status")
            .asText())
        .isEqualTo("not ready");
    server.get("/_partita/health").unsigned().expect(200);
    server.call("HEAD", "/_partita/health").unsigned().expect(200);
    Answer unsigned = server.get("/dbs").unsigned().expect(401);
    assertThat(unsigned.json().get("code").asText()).isEqualTo("Unauthorized");
    assertThat(unsigned.header("content-type")).isEqualTo("application/json");
  }

  @Test
  void u65DirectModeIsToldToUseTheGateway() {
    assertThat(server
            .get("//addresses/?$resolveFor=dbs%2fd")
            .unsigned()
            .expect(400)
            .text())
        .contains("gateway mode");
  }

  @Test
  void theStatusNeedsAKey() {
    server.createContainer(2);
    JsonNode status = server.get("/_partita/status").expect(200).json();
    assertThat(server
            .get("/_partita/status")
            .unsigned()
            .header("x-partita-key", TestServer.KEYS.primary())
            .expect(200)
            .json())
        .isEqualTo(status);
    assertThat(status.at("/nodes/0/address").asText()).isEqualTo("n1");
    JsonNode container = status.at("/containers/0");
    assertThat(container.get("database").asText()).isEqualTo("d");
    assertThat(container.get("id").asText()).isEqualTo("c");
    JsonNode partition = container.at("/physicalPartitions/1");
    for (String name :
        new String[] {"id", "minInclusive", "maxExclusive", "items", "bytes", "primary", "replicas"
        }) {
      assertThat(partition.has(name)).as(name).isTrue();
    }
    assertThat(partition.at("/replicas/0/state").asText()).isEqualTo("UP");
  }
}
