package dev.partita.http.server;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import dev.partita.http.protocol.AccountKeys;
import dev.partita.http.protocol.ConsistencyHeaders;
import dev.partita.http.route.Settings;
import dev.partita.persistence.engine.ItemStoreSettings;
import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.charge.ChargeSettings;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A node's settings, read from the section {@code partita}; reference.conf says what each is for. */
record NodeSettings(Config config) {
  static NodeSettings of(Config config) throws NodeStartException {
    NodeSettings settings = new NodeSettings(config);
    try {
      settings.keys();
    } catch (IllegalArgumentException e) {
      throw new NodeStartException("wrong configuration: " + e.getMessage(), e);
    }
    return settings;
  }

  Path dataDirectory() {
    return Path.of(config.getString("partita.data-directory")).toAbsolutePath().normalize();
  }

  String key() {
    return config.getString("partita.http.key");
  }

  private AccountKeys keys() {
    String secondary = config.getString("partita.http.secondary-key");
    return new AccountKeys(
        key(),
        secondary.isEmpty() ? Optional.empty() : Optional.of(secondary),
        config.getStringList("partita.http.read-only-keys"));
  }

  ItemStoreSettings store() {
    Config store = config.getConfig("partita.store");
    return new ItemStoreSettings(
        store.getBytes("block-cache"),
        store.getBytes("write-buffer-total"),
        store.getBytes("write-buffer"),
        store.getInt("write-buffer-count-max"),
        store.getInt("background-jobs-max"),
        store.getInt("open-files-max"));
  }

  ChargeModel charges() {
    return new ChargeModel(ChargeSettings.DEFAULT);
  }

  /** The actor system's settings: the log's place follows from the data directory. */
  Config akka(Path logFolder) {
    return config.withValue(
        "partita.persistence.journal.directory",
        ConfigValueFactory.fromAnyRef(logFolder.toString()));
  }

  HttpSettings http(Path tlsFolder) throws NodeStartException {
    Config http = config.getConfig("partita.http");
    HttpSettings settings = HttpSettings.of(http.getString("host"), http.getInt("port"), keys())
        .withEmulatorKeyAllowed(http.getBoolean("emulator-key-beyond-loopback"))
        .withClock(InstantSource.system(), http.getDuration("clock-skew"))
        .withConnections(
            http.getInt("connections-max"),
            http.getInt("backlog"),
            http.getDuration("idle-timeout"))
        .withRoutes(routes(http));
    int httpsPort = http.getInt("https-port");
    HttpSettings both =
        httpsPort < 0 ? settings : settings.withTls(httpsPort, certificate(http, tlsFolder));
    Optional<String> problem = both.problem();
    if (problem.isPresent()) {
      throw new NodeStartException(problem.get());
    }
    return both;
  }

  private Settings routes(Config http) throws NodeStartException {
    int start = config.getInt("partita.start-partitions");
    Settings defaults = Settings.DEFAULTS;
    try {
      return new Settings(
          ConsistencyHeaders.parse(config.getString("partita.consistency")),
          start > 0 ? OptionalInt.of(start) : OptionalInt.empty(),
          http.getInt("requests-in-flight-max"),
          defaults.bodyBytesInFlightMax(),
          defaults.bodyTimeout(),
          defaults.retryAfter(),
          defaults.pageItemsMax(),
          defaults.pageBytesMax(),
          defaults.pageTime());
    } catch (RuntimeException e) {
      throw new NodeStartException(
          "partita.consistency is Strong, BoundedStaleness, Session, ConsistentPrefix or Eventual, not "
              + config.getString("partita.consistency"),
          e);
    }
  }

  private static TlsMaterial.Source certificate(Config http, Path tlsFolder) {
    String file = http.getString("certificate");
    if (file.isEmpty()) {
      return new TlsMaterial.Source.Generated(tlsFolder, names(http));
    }
    Path path = Path.of(file);
    String lower = file.toLowerCase(Locale.ROOT);
    return lower.endsWith(".pfx") || lower.endsWith(".p12")
        ? new TlsMaterial.Source.Pfx(path, http.getString("certificate-password"))
        : new TlsMaterial.Source.Pem(path, path);
  }

  private static List<String> names(Config http) {
    return http.getStringList("certificate-names");
  }
}
