package dev.partita.http.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** What a node says when it is ready. Scripts read its first lines: a word, spaces, the value. */
final class Welcome {
  private Welcome() {}

  static String text(URI endpoint, Optional<URI> https, String key, Path data) {
    return """
        Partita is ready.
          endpoint  %1$s
        %5$s  key       %2$s
          data      %3$s

        curl     curl %1$s_partita/health
        Java     new CosmosClientBuilder().gatewayMode().endpoint("%1$s")
                     .key("%2$s").buildClient()
                 and start the JVM with %4$s
        Node.js  new CosmosClient({ endpoint: "%1$s", key: "%2$s" })
        load     partita load FILE.jsonl --database db --container items --partition-key /pk --endpoint %1$s
        status   partita status --endpoint %1$s

        Stop with Ctrl-C. Next: README.md, or partita --help
        """.formatted(
            endpoint,
            key,
            data,
            javaFlag(endpoint),
            https.map(uri -> "  https     " + uri + "\n").orElse(""));
  }

  private static String javaFlag(URI endpoint) {
    return "https".equals(endpoint.getScheme())
        ? "-DCOSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED=true"
        : "-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true";
  }
}
