package dev.partita.http.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.Json;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import java.nio.ByteBuffer;
import java.util.Base64;

/** The JSON of databases, containers and ranges as clients see it, with RIDs, links, etags and times. */
final class SystemProperties {
  private static final String[] CONTAINER_FEEDS = {"docs", "sprocs", "triggers", "udfs", "conflicts"
  };

  /** High nibble of the last byte of a RID: a partition key range. */
  private static final long RANGE_KIND = 0x50;

  private SystemProperties() {}

  static ObjectNode of(Database database) {
    ObjectNode json = Json.object().put("id", database.id());
    system(
        json,
        database.rid(),
        "dbs/" + database.rid() + "/",
        database.etag(),
        database.timestampSeconds());
    return json.put("_colls", "colls/").put("_users", "users/");
  }

  static ObjectNode of(Container container) {
    ObjectNode json = Json.trusted(container.definitionJson());
    system(json, container.rid(), self(container), container.etag(), container.timestampSeconds());
    for (String feed : CONTAINER_FEEDS) {
      json.put("_" + feed, feed + "/");
    }
    return json;
  }

  /** A range of a container, as {@code pkranges} lists it. */
  static ObjectNode of(Container container, PartitionKeyRange range) {
    String rid = rangeRid(container.rid(), range.id());
    ObjectNode json = Json.object()
        .put("id", Integer.toString(range.id()))
        .put("minInclusive", range.minInclusive())
        .put("maxExclusive", range.maxExclusive())
        .put("ridPrefix", range.id())
        .put("throughputFraction", 1.0 / container.routingMap().ranges().size())
        .put("status", "online");
    ArrayNode parents = json.putArray("parents");
    range.parents().forEach(parent -> parents.add(Integer.toString(parent)));
    system(
        json,
        rid,
        self(container) + "pkranges/" + rid + "/",
        container.etag(),
        container.timestampSeconds());
    return json;
  }

  private static void system(ObjectNode json, String rid, String self, String etag, long seconds) {
    json.put("_rid", rid).put("_self", self).put("_etag", etag).put("_ts", seconds);
  }

  private static String self(Container container) {
    return "dbs/" + container.databaseRid() + "/colls/" + container.rid() + "/";
  }

  /** The container's eight bytes, then four of the range's number, little-endian, and the kind. */
  private static String rangeRid(String containerRid, int rangeId) {
    byte[] owner = Base64.getDecoder().decode(containerRid.replace('-', '/'));
    ByteBuffer rid = ByteBuffer.allocate(16).put(owner, 0, 8);
    rid.putInt(Integer.reverseBytes(rangeId + 1)).putInt((int) RANGE_KIND);
    return Base64.getEncoder().encodeToString(rid.array()).replace('/', '-');
  }
}
