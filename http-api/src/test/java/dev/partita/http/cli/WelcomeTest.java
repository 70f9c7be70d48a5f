package dev.partita.http.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WelcomeTest {
  private static final URI HTTP = URI.create("http://127.0.0.1:8081/");

  @Test
  void scriptsFindTheirLines() {
    assertThat(Welcome.text(HTTP, Optional.empty(), "a2V5", Path.of("/data/p")))
        .startsWith("""
            Partita is ready.
              endpoint  http://127.0.0.1:8081/
              key       a2V5
              data      /data/p

            """)
        .contains(
            "curl http://127.0.0.1:8081/_partita/health", "HTTP_CONNECTION_WITHOUT_TLS_ALLOWED");
  }

  @Test
  void httpsHasALineOfItsOwn() {
    assertThat(Welcome.text(
            HTTP, Optional.of(URI.create("https://127.0.0.1:8443/")), "a2V5", Path.of("/data/p")))
        .startsWith("""
            Partita is ready.
              endpoint  http://127.0.0.1:8081/
              https     https://127.0.0.1:8443/
              key       a2V5
              data      /data/p
            """);
  }
}
