package dev.partita.http.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.PartitionKeyDefinition.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A container's definition as a client sends it, checked and brought into the form in which it is kept and
 * returned: every policy there, spelled one way, unknown properties kept, system properties gone.
 *
 * @param id name
 * @param partitionKey what the definition says of it
 * @param json the normal form
 */
public record ContainerDefinition(String id, PartitionKeyDefinition partitionKey, ObjectNode json) {
  private static final int LEVELS_MAX = 3;
  private static final Set<String> SYSTEM_PROPERTIES = Set.of(
      "_rid", "_self", "_etag", "_ts", "_docs", "_sprocs", "_triggers", "_udfs", "_conflicts");

  /**
   * Reads a definition.
   *
   * @throws Refusal 400 that names the property and what it may be
   */
  public static ContainerDefinition parse(ObjectNode body) {
    ObjectNode json = body.deepCopy();
    json.remove(SYSTEM_PROPERTIES);
    JsonNode id = json.path("id");
    if (!id.isTextual()) {
      throw Refusal.bad("A container has an 'id', which is a string.");
    }
    ResourceNames.checkName("container", id.textValue());
    PartitionKeyDefinition key = partitionKey(json);
    json.set("indexingPolicy", IndexingPolicy.normal(json.get("indexingPolicy")));
    ContainerPolicies.normalise(json);
    return new ContainerDefinition(id.textValue(), key, json);
  }

  private static PartitionKeyDefinition partitionKey(ObjectNode json) {
    if (!(json.get("partitionKey") instanceof ObjectNode key)) {
      throw Refusal.bad(
          "A container has a 'partitionKey' such as {\"paths\":[\"/tenant\"],\"kind\":\"Hash\",\"version\":2}.");
    }
    Kind kind = kind(key);
    List<String> paths = paths(key.path("paths"), kind);
    int version = version(key, kind);
    return new PartitionKeyDefinition(kind, version, paths);
  }

  private static Kind kind(ObjectNode key) {
    JsonNode given = key.path("kind");
    String text = given.isMissingNode() || given.isNull() ? "Hash" : given.asText();
    Kind kind;
    if (text.equalsIgnoreCase("Hash")) {
      kind = Kind.HASH;
    } else if (text.equalsIgnoreCase("MultiHash")) {
      kind = Kind.MULTI_HASH;
    } else {
      throw Refusal.bad("partitionKey.kind is Hash or MultiHash, not '" + text + "'.");
    }
    key.put("kind", kind == Kind.HASH ? "Hash" : "MultiHash");
    return kind;
  }

  private static List<String> paths(JsonNode given, Kind kind) {
    int max = kind == Kind.HASH ? 1 : LEVELS_MAX;
    if (!given.isArray() || given.isEmpty() || given.size() > max) {
      throw Refusal.bad(
          kind == Kind.HASH
              ? "partitionKey.paths is an array of one path; several levels need kind MultiHash."
              : "partitionKey.paths of a MultiHash key is an array of 1 to " + LEVELS_MAX
                  + " paths.");
    }
    var paths = new ArrayList<String>();
    for (JsonNode path : given) {
      if (!path.isTextual()) {
        throw Refusal.bad("partitionKey.paths is an array of strings.");
      }
      paths.add(path.textValue());
    }
    if (new HashSet<>(paths).size() < paths.size()) {
      throw Refusal.bad("partitionKey.paths names a path twice.");
    }
    for (String path : paths) {
      checkKeyPath(path);
    }
    KeyPaths.of(paths);
    return paths;
  }

  private static void checkKeyPath(String path) {
    for (String segment : KeyPaths.segments(path)) {
      if (segment.equals("*") || segment.equals("?") || segment.equals("[]")) {
        throw Refusal.bad("The partition key path '" + path + "' must not hold a wildcard.");
      }
    }
  }

  /**
   * The version of the hash, as a number: the Java SDK sends {@code "V2"}. It stays absent when it was, since the
   * clients hash by what they are told, and absent means 1; a hierarchical key has version 2 only.
   */
  private static int version(ObjectNode key, Kind kind) {
    JsonNode given = key.path("version");
    int version;
    if (given.isMissingNode() || given.isNull()) {
      key.remove("version");
      version = kind == Kind.MULTI_HASH ? 2 : 1;
    } else {
      version = switch (given.asText()) {
        case "1", "V1" -> 1;
        case "2", "V2" -> 2;
        default ->
          throw Refusal.bad("partitionKey.version is 1 or 2, not '" + given.asText() + "'.");
      };
      key.put("version", version);
    }
    if (kind == Kind.MULTI_HASH) {
      if (version != 2) {
        throw Refusal.bad("A MultiHash partition key has version 2.");
      }
      key.put("version", 2);
    }
    return version;
  }

  /**
   * Checks what a replacement must leave alone.
   *
   * @param present the definition in force
   * @throws Refusal 400
   */
  public void checkReplaces(ContainerDefinition present) {
    if (!id.equals(present.id)) {
      throw Refusal.bad("The id of a container cannot be changed.");
    }
    if (!partitionKey.equals(present.partitionKey)) {
      throw Refusal.bad("The partition key of a container cannot be changed.");
    }
    for (String fixed : List.of("uniqueKeyPolicy", "conflictResolutionPolicy")) {
      if (!json.path(fixed).equals(present.json.path(fixed))) {
        throw Refusal.bad("The " + fixed + " of a container cannot be changed.");
      }
    }
  }
}
