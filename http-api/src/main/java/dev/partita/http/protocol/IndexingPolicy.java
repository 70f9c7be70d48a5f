package dev.partita.http.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which paths of the items are indexed, and how. */
final class IndexingPolicy {
  private static final int PATHS_MAX = 1_500;
  private static final int COMPOSITE_PATHS_MAX = 8;
  private static final int COMPOSITE_PATHS_TOTAL_MAX = 100;
  private static final Map<String, String> MODES =
      Map.of("consistent", "consistent", "lazy", "lazy", "none", "none");
  private static final Map<String, String> ORDERS =
      Map.of("ascending", "ascending", "descending", "descending");
  private static final Set<String> SPATIAL_TYPES =
      Set.of("Point", "LineString", "Polygon", "MultiPolygon");

  private IndexingPolicy() {}

  /** The policy in its normal form; by default everything is indexed but the etag. */
  static ObjectNode normal(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return byDefault();
    }
    if (!(given instanceof ObjectNode policy)) {
      throw Refusal.bad("indexingPolicy is an object.");
    }
    String mode =
        ContainerPolicies.choice(policy, "indexingPolicy", "indexingMode", MODES, "consistent");
    JsonNode automatic = policy.path("automatic");
    if (automatic.isMissingNode() || automatic.isNull()) {
      policy.put("automatic", !mode.equals("none"));
    } else if (!automatic.isBoolean()) {
      throw Refusal.bad("indexingPolicy.automatic is true or false.");
    }
    boolean noPaths = !policy.hasNonNull("includedPaths") && !policy.hasNonNull("excludedPaths");
    if (noPaths && !mode.equals("none")) {
      policy.setAll(Map.of(
          "includedPaths",
          byDefault().get("includedPaths"),
          "excludedPaths",
          byDefault().get("excludedPaths")));
    }
    boolean rootIncluded = paths(policy, "includedPaths");
    boolean rootExcluded = paths(policy, "excludedPaths");
    if (!mode.equals("none") && !rootIncluded && !rootExcluded) {
      throw Refusal.bad("indexingPolicy must include or exclude the root path '/*'.");
    }
    composites(policy.path("compositeIndexes"));
    spatials(policy.path("spatialIndexes"));
    for (String name : List.of("vectorIndexes", "fullTextIndexes")) {
      if (policy.hasNonNull(name) && !policy.get(name).isArray()) {
        throw Refusal.bad("indexingPolicy." + name + " is an array.");
      }
    }
    return policy;
  }

  private static ObjectNode byDefault() {
    ObjectNode policy = Json.object().put("indexingMode", "consistent").put("automatic", true);
    policy.putArray("includedPaths").addObject().put("path", "/*");
    policy.putArray("excludedPaths").addObject().put("path", "/\"_etag\"/?");
    return policy;
  }

  /** Checks a list of paths; answers whether the root is among them. */
  private static boolean paths(ObjectNode policy, String name) {
    JsonNode paths = policy.path(name);
    if (paths.isMissingNode() || paths.isNull()) {
      policy.putArray(name);
      return false;
    }
    if (!paths.isArray() || paths.size() > PATHS_MAX) {
      throw Refusal.bad(
          "indexingPolicy." + name + " is an array of at most " + PATHS_MAX + " {\"path\":...}.");
    }
    boolean root = false;
    for (JsonNode entry : paths) {
      String path = path(entry, "indexingPolicy." + name);
      if (!path.startsWith("/") || (!path.endsWith("/?") && !path.endsWith("/*"))) {
        throw Refusal.bad("The path '" + path + "' in indexingPolicy." + name
            + " begins with '/' and ends with '/?' or '/*'.");
      }
      root |= path.equals("/*");
    }
    return root;
  }

  private static void composites(JsonNode indexes) {
    if (indexes.isMissingNode() || indexes.isNull()) {
      return;
    }
    if (!indexes.isArray()) {
      throw Refusal.bad("indexingPolicy.compositeIndexes is an array of arrays.");
    }
    int total = 0;
    for (JsonNode index : indexes) {
      if (!index.isArray() || index.size() < 2 || index.size() > COMPOSITE_PATHS_MAX) {
        throw Refusal.bad("A composite index is an array of 2 to " + COMPOSITE_PATHS_MAX
            + " {\"path\":...,\"order\":...}.");
      }
      total += index.size();
      for (JsonNode entry : index) {
        String path = path(entry, "indexingPolicy.compositeIndexes");
        if (path.endsWith("/?") || path.endsWith("/*")) {
          throw Refusal.bad(
              "The path '" + path + "' of a composite index must not end with a wildcard.");
        }
        KeyPaths.segments(path);
        ContainerPolicies.choice(
            (ObjectNode) entry, "compositeIndexes", "order", ORDERS, "ascending");
      }
    }
    if (total > COMPOSITE_PATHS_TOTAL_MAX) {
      throw Refusal.bad("The composite indexes of a container have at most "
          + COMPOSITE_PATHS_TOTAL_MAX + " paths together.");
    }
  }

  private static void spatials(JsonNode indexes) {
    if (indexes.isMissingNode() || indexes.isNull()) {
      return;
    }
    if (!indexes.isArray()) {
      throw Refusal.bad(
          "indexingPolicy.spatialIndexes is an array of {\"path\":...,\"types\":[...]}.");
    }
    for (JsonNode entry : indexes) {
      path(entry, "indexingPolicy.spatialIndexes");
      for (JsonNode type : entry.path("types")) {
        if (!SPATIAL_TYPES.contains(type.asText())) {
          throw Refusal.bad(
              "'" + type.asText()
                  + "' is no type of a spatial index; there are Point, LineString, Polygon, MultiPolygon.");
        }
      }
    }
  }

  private static String path(JsonNode entry, String owner) {
    JsonNode path = entry.path("path");
    if (!entry.isObject() || !path.isTextual() || path.textValue().isEmpty()) {
      throw Refusal.bad("Each entry of " + owner + " is an object with a 'path'.");
    }
    return path.textValue();
  }
}
