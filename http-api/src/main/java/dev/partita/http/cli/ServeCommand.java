package dev.partita.http.cli;

import com.typesafe.config.Config;
import dev.partita.http.server.NodeStartException;
import dev.partita.http.server.PartitaNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code partita serve}: one node, until it is told to stop. */
@Command(
    name = "serve",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    header = "Start a node.",
    description = {
      "",
      "Prints its endpoint, key and data directory when it is ready. It runs until Ctrl-C or SIGTERM, then",
      "finishes the requests it has. What it acknowledged it keeps, even over kill -9.",
      ""
    },
    footer = {
      "",
      "A flag wins over the environment, the environment over the file, the file over the built-in value.",
      "",
      "Examples:",
      "  partita serve                                  on http://127.0.0.1:8081/",
      "  partita serve --port 0 --data /tmp/p1          on any free port, printed at the start",
      "  partita serve --tls                            also HTTPS, with a generated certificate",
      "  partita serve --https-port 8443 --certificate my.pem   with your own (chain and private key)",
      "  partita serve --host 0.0.0.0 --key \"$(openssl rand -base64 64 | tr -d '\\n')\"",
      "",
      "Is it up?   curl -f http://127.0.0.1:8081/_partita/ready     200 only when a write would succeed"
    })
final class ServeCommand implements Callable<Integer> {
  /** Any free port. */
  private static final int ANY_PORT = 0;

  @Spec
  private @Nullable CommandSpec spec;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Address to listen on; 127.0.0.1 by default. PARTITA_HOST")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port for HTTP; 0 takes any free one. 8081 by default. PARTITA_PORT")
  private @Nullable Integer port;

  @ArgGroup
  private @Nullable Https https;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = {
        "Certificate for HTTPS: PEM with chain and private key, or PKCS#12. Without",
        "it one is generated and kept in the data directory. PARTITA_CERTIFICATE"
      })
  private @Nullable Path certificate;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory; made if it does not exist. PARTITA_DATA")
  private @Nullable Path data;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {
        "Account key, base64. The default is the public key of the emulators, which",
        "is accepted on loopback only. PARTITA_KEY"
      })
  private @Nullable String key;

  @Option(
      names = "--consistency",
      paramLabel = "LEVEL",
      description = {
        "Default consistency of the account: Strong, BoundedStaleness, Session,",
        "ConsistentPrefix or Eventual. PARTITA_CONSISTENCY"
      })
  private @Nullable String consistency;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:PARTITA_CONFIG}",
      description = "More settings, in HOCON, as partita.http.port = 8081. PARTITA_CONFIG")
  private @Nullable Path config;

  @Option(
      names = "--rehearse",
      hidden = true,
      description =
          "Start, serve a few requests of its own, stop: loads the classes that a start needs.")
  private boolean rehearse;

  /** HTTPS on a given port, or on any. */
  static final class Https {
    @Option(names = "--tls", description = "Listen for HTTPS too, on any free port.")
    private boolean anyPort;

    @Option(
        names = "--https-port",
        paramLabel = "PORT",
        description = "Listen for HTTPS too, on this port. PARTITA_HTTPS_PORT")
    private @Nullable Integer port;
  }

  @Override
  public Integer call() throws NodeStartException, InterruptedException, IOException {
    var node = PartitaNode.start(settings(System.getenv()));
    if (rehearse) {
      Rehearsal.run(node.endpoint(), node.key());
      node.stop();
      return 0;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(node::stop, "stop-node"));
    var out = command().commandLine().getOut();
    out.print(
        Welcome.text(node.endpoint(), node.httpsEndpoint(), node.key(), node.dataDirectory()));
    out.flush();
    node.awaitTermination();
    return 0;
  }

  private Config settings(Map<String, String> environment) {
    var flags = new LinkedHashMap<String, Object>();
    put(flags, "partita.http.host", host);
    put(flags, "partita.http.port", checkedPort("--port", port));
    put(flags, "partita.http.https-port", httpsPort());
    put(
        flags,
        "partita.http.certificate",
        certificate == null ? null : certificate.toAbsolutePath().toString());
    put(flags, "partita.http.key", key);
    put(
        flags,
        "partita.data-directory",
        data == null ? null : data.toAbsolutePath().toString());
    put(flags, "partita.consistency", consistency);
    return ServeSettings.resolve(flags, environment, config);
  }

  private @Nullable Integer httpsPort() {
    if (https == null) {
      return null;
    }
    return https.anyPort ? Integer.valueOf(ANY_PORT) : checkedPort("--https-port", https.port);
  }

  private @Nullable Integer checkedPort(String flag, @Nullable Integer value) {
    if (value != null && (value < 0 || value > 65_535)) {
      throw new ParameterException(
          command().commandLine(), flag + " is between 0 and 65535, not " + value);
    }
    return value;
  }

  private static void put(Map<String, Object> flags, String path, @Nullable Object value) {
    if (value != null) {
      flags.put(path, value);
    }
  }

  private CommandSpec command() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }
}
