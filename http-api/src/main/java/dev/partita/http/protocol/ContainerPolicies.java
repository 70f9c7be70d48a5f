package dev.partita.http.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The policies of a container beside its indexing: unique keys, expiry, conflicts, geospatial type. */
final class ContainerPolicies {
  private static final int UNIQUE_KEYS_MAX = 10;
  private static final int UNIQUE_KEY_PATHS_MAX = 16;
  private static final List<String> OBJECTS = List.of(
      "changeFeedPolicy",
      "vectorEmbeddingPolicy",
      "fullTextPolicy",
      "clientEncryptionPolicy",
      "materializedViewDefinition");
  private static final List<String> ARRAYS = List.of("computedProperties");
  private static final Map<String, String> CONFLICT_MODES =
      Map.of("lastwriterwins", "LastWriterWins", "custom", "Custom");
  private static final Map<String, String> GEOSPATIAL_TYPES =
      Map.of("geography", "Geography", "geometry", "Geometry");

  private ContainerPolicies() {}

  /** Checks each policy and puts its normal form in its place. */
  static void normalise(ObjectNode definition) {
    uniqueKeys(definition);
    seconds(definition, "defaultTtl", false);
    seconds(definition, "analyticalStorageTtl", true);
    conflicts(definition);
    geospatial(definition);
    for (String name : OBJECTS) {
      dropNull(definition, name);
      if (definition.has(name) && !definition.get(name).isObject()) {
        throw Refusal.bad(name + " is an object.");
      }
    }
    for (String name : ARRAYS) {
      dropNull(definition, name);
      if (definition.has(name) && !definition.get(name).isArray()) {
        throw Refusal.bad(name + " is an array.");
      }
    }
  }

  private static void uniqueKeys(ObjectNode definition) {
    ObjectNode policy = object(definition, "uniqueKeyPolicy");
    JsonNode keys = policy.path("uniqueKeys");
    if (keys.isMissingNode() || keys.isNull()) {
      policy.putArray("uniqueKeys");
      return;
    }
    if (!keys.isArray() || keys.size() > UNIQUE_KEYS_MAX) {
      throw Refusal.bad(
          "uniqueKeyPolicy.uniqueKeys is an array of at most " + UNIQUE_KEYS_MAX + " unique keys.");
    }
    for (JsonNode key : keys) {
      JsonNode paths = key.path("paths");
      if (!paths.isArray() || paths.isEmpty() || paths.size() > UNIQUE_KEY_PATHS_MAX) {
        throw Refusal.bad(
            "A unique key has 'paths', an array of 1 to " + UNIQUE_KEY_PATHS_MAX + " paths.");
      }
      Set<String> distinct = new HashSet<>();
      for (JsonNode path : paths) {
        if (!path.isTextual()) {
          throw Refusal.bad("The paths of a unique key are strings.");
        }
        KeyPaths.segments(path.textValue());
        if (!distinct.add(path.textValue())) {
          throw Refusal.bad("A unique key names the path '" + path.textValue() + "' twice.");
        }
      }
    }
  }

  /** A time to live: -1 for never, or seconds; null and absent mean that there is none. */
  private static void seconds(ObjectNode definition, String name, boolean zeroAllowed) {
    dropNull(definition, name);
    JsonNode seconds = definition.path(name);
    if (seconds.isMissingNode()) {
      return;
    }
    boolean whole = seconds.isIntegralNumber() && seconds.canConvertToInt();
    int value = whole ? seconds.intValue() : 0;
    if (!whole || value < -1 || (value == 0 && !zeroAllowed)) {
      throw Refusal.bad(
          name + " is -1 (on, without a default) or 1 to 2147483647 seconds, not " + seconds + ".");
    }
  }

  private static void conflicts(ObjectNode definition) {
    ObjectNode policy = object(definition, "conflictResolutionPolicy");
    String mode =
        choice(policy, "conflictResolutionPolicy", "mode", CONFLICT_MODES, "LastWriterWins");
    JsonNode path = policy.path("conflictResolutionPath");
    if (path.isMissingNode() || path.isNull()) {
      policy.put("conflictResolutionPath", mode.equals("Custom") ? "" : "/_ts");
    } else if (!path.isTextual()) {
      throw Refusal.bad("conflictResolutionPolicy.conflictResolutionPath is a string.");
    } else if (!path.textValue().isEmpty()) {
      KeyPaths.segments(path.textValue());
    }
    JsonNode procedure = policy.path("conflictResolutionProcedure");
    if (procedure.isMissingNode() || procedure.isNull()) {
      policy.put("conflictResolutionProcedure", "");
    } else if (!procedure.isTextual()) {
      throw Refusal.bad("conflictResolutionPolicy.conflictResolutionProcedure is a string.");
    }
  }

  private static void geospatial(ObjectNode definition) {
    ObjectNode config = object(definition, "geospatialConfig");
    choice(config, "geospatialConfig", "type", GEOSPATIAL_TYPES, "Geography");
  }

  /** The object of that name, made when absent. */
  private static ObjectNode object(ObjectNode definition, String name) {
    dropNull(definition, name);
    if (!definition.has(name)) {
      return definition.putObject(name);
    }
    if (definition.get(name) instanceof ObjectNode object) {
      return object;
    }
    throw Refusal.bad(name + " is an object.");
  }

  /** One of a few words, of any case, brought to its usual spelling. */
  static String choice(
      ObjectNode object, String owner, String name, Map<String, String> spellings, String absent) {
    JsonNode given = object.path(name);
    if (given.isMissingNode() || given.isNull()) {
      object.put(name, absent);
      return absent;
    }
    String spelling = spellings.get(given.asText().toLowerCase(Locale.ROOT));
    if (!given.isTextual() || spelling == null) {
      throw Refusal.bad(owner + "." + name + " is one of "
          + String.join(", ", new TreeSet<>(spellings.values())) + ", not " + given
          + ".");
    }
    object.put(name, spelling);
    return spelling;
  }

  private static void dropNull(ObjectNode definition, String name) {
    if (definition.path(name).isNull()) {
      definition.remove(name);
    }
  }
}
