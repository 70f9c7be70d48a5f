package dev.partita.http.cli;

import dev.partita.http.cli.client.AccountClient;
import dev.partita.http.cli.client.Endpoint;
import dev.partita.http.cli.client.RequestSigner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which account a command talks to. */
public final class AccountOptions {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      defaultValue = "${env:PARTITA_ENDPOINT:-http://127.0.0.1:8081/}",
      description = {
        "Where the node listens, as 'serve' printed it.",
        "Default: PARTITA_ENDPOINT, else http://127.0.0.1:8081/"
      })
  private String endpoint = "";

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {
        "The account key, as 'serve' printed it.",
        "Default: PARTITA_KEY, else the public key of the emulators."
      })
  private @Nullable String key;

  @Option(
      names = "--insecure",
      description = "With https: accept any certificate, such as the generated one.")
  private boolean insecure;

  /** A client for one thread; opens nothing yet. */
  public AccountClient client() {
    return new AccountClient(endpoint(), key());
  }

  public Endpoint endpoint() {
    return Endpoint.parse(endpoint, insecure);
  }

  public String key() {
    if (key != null) {
      return key;
    }
    var fromEnvironment = System.getenv("PARTITA_KEY");
    return fromEnvironment == null || fromEnvironment.isBlank()
        ? RequestSigner.WELL_KNOWN_KEY
        : fromEnvironment;
  }
}
