package dev.partita.http.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.server.PartitaNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts a node's settings together. What is written nearer to the start wins: flags, environment, system properties,
 * configuration file, built-in values.
 */
final class ServeSettings {
  /** Environment variables and the settings they stand for. */
  static final Map<String, String> ENVIRONMENT = environment();

  private ServeSettings() {}

  private static Map<String, String> environment() {
    var names = new LinkedHashMap<String, String>();
    names.put("PARTITA_HOST", "partita.http.host");
    names.put("PARTITA_PORT", "partita.http.port");
    names.put("PARTITA_HTTPS_PORT", "partita.http.https-port");
    names.put("PARTITA_CERTIFICATE", "partita.http.certificate");
    names.put("PARTITA_KEY", "partita.http.key");
    names.put("PARTITA_DATA", "partita.data-directory");
    names.put("PARTITA_CONSISTENCY", "partita.consistency");
    return Collections.unmodifiableMap(names);
  }

  /**
   * The settings of a node.
   *
   * @param flags by path; what was not given is absent
   * @throws CommandFailure if the file cannot be read
   */
  static Config resolve(
      Map<String, Object> flags, Map<String, String> environment, @Nullable Path file) {
    var fromEnvironment = new HashMap<String, Object>();
    ENVIRONMENT.forEach((variable, path) -> {
      var value = environment.get(variable);
      if (value != null && !value.isBlank()) {
        fromEnvironment.put(path, value);
      }
    });
    try {
      return ConfigFactory.parseMap(flags, "the command line")
          .withFallback(ConfigFactory.parseMap(fromEnvironment, "the environment"))
          .withFallback(ConfigFactory.defaultOverrides())
          .withFallback(file == null ? ConfigFactory.empty() : parse(file))
          .withFallback(PartitaNode.defaults())
          .resolve();
    } catch (ConfigException e) {
      throw new CommandFailure("wrong configuration: " + e.getMessage(), e);
    }
  }

  private static Config parse(Path file) {
    if (!Files.isReadable(file)) {
      throw new CommandFailure("cannot read the configuration file " + file);
    }
    return ConfigFactory.parseFile(
        file.toFile(), ConfigParseOptions.defaults().setAllowMissing(false));
  }
}
