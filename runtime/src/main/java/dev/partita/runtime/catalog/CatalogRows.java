package dev.partita.runtime.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.partitioning.RoutingMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of the catalog as JSON items of the system partition. All share one partition key, so that the
 * catalog is one ordered, conditional keyspace. The id of a row says its kind.
 */
public final class CatalogRows {
  /** Partition key of every row. */
  public static final String PARTITION_KEY = "catalog";

  /** The row that hands out ids. */
  public static final String COUNTERS_ID = "counters";

  private static final String DATABASE_PREFIX = "db:";
  private static final String CONTAINER_PREFIX = "coll:";
  private static final String RETIRED_PREFIX = "retired:";
  private static final ObjectMapper JSON = new ObjectMapper();

  private CatalogRows() {}

  /** What is handed out next; every value is used once. */
  public record Counters(long database, long container, long physicalPartition, long lineage) {
    public static final Counters FIRST = new Counters(1, 1, 2, 1);
  }

  /** A database. */
  public record DatabaseRow(String id, String rid, Optional<Throughput> throughput) {}

  /**
   * A container with its ranges and where their replicas are.
   *
   * @param members replicas of each range, in the order of the routing map
   */
  public record ContainerRow(
      String databaseId,
      String databaseRid,
      String id,
      String rid,
      PartitionKeyDefinition partitionKey,
      String definitionJson,
      Optional<Throughput> throughput,
      RoutingMap routingMap,
      List<List<ReplicaId>> members,
      long lineage) {
    public ContainerRow {
      members = members.stream().map(List::copyOf).toList();
    }
  }

  /** Physical partitions of a deleted container whose replicas are still to be removed. */
  public record RetiredRow(String containerRid, List<PhysicalPartitionId> partitions) {
    public RetiredRow {
      partitions = List.copyOf(partitions);
    }
  }

  public static String databaseRowId(String database) {
    return DATABASE_PREFIX + database;
  }

  public static String containerRowId(String databaseRid, String container) {
    return CONTAINER_PREFIX + databaseRid + ":" + container;
  }

  public static String retiredRowId(String containerRid) {
    return RETIRED_PREFIX + containerRid;
  }

  public static boolean isDatabase(String rowId) {
    return rowId.startsWith(DATABASE_PREFIX);
  }

  public static boolean isContainer(String rowId) {
    return rowId.startsWith(CONTAINER_PREFIX);
  }

  public static boolean isRetired(String rowId) {
    return rowId.startsWith(RETIRED_PREFIX);
  }

  /** Parses a stored row, with the system properties that every item has. */
  public static ObjectNode parse(Bytes document) {
    try {
      return (ObjectNode) JSON.readTree(document.array(), document.offset(), document.length());
    } catch (IOException e) {
      throw new UncheckedIOException("a catalog row is not JSON", e);
    }
  }

  public static Bytes write(Counters counters) {
    ObjectNode row = row(COUNTERS_ID);
    row.put("database", counters.database);
    row.put("container", counters.container);
    row.put("physicalPartition", counters.physicalPartition);
    row.put("lineage", counters.lineage);
    return bytes(row);
  }

  public static Counters counters(JsonNode row) {
    return new Counters(
        row.get("database").longValue(),
        row.get("container").longValue(),
        row.get("physicalPartition").longValue(),
        row.get("lineage").longValue());
  }

  public static Bytes write(DatabaseRow database) {
    ObjectNode row = row(databaseRowId(database.id));
    row.put("name", database.id);
    row.put("rid", database.rid);
    putThroughput(row, database.throughput);
    return bytes(row);
  }

  public static DatabaseRow database(JsonNode row) {
    return new DatabaseRow(text(row, "name"), text(row, "rid"), throughput(row));
  }

  public static Bytes write(ContainerRow container) {
    ObjectNode row = row(containerRowId(container.databaseRid, container.id));
    row.put("database", container.databaseId);
    row.put("databaseRid", container.databaseRid);
    row.put("name", container.id);
    row.put("rid", container.rid);
    row.put("kind", container.partitionKey.kind().name());
    row.put("version", container.partitionKey.version());
    ArrayNode paths = row.putArray("paths");
    container.partitionKey.paths().forEach(paths::add);
    row.put("definition", container.definitionJson);
    putThroughput(row, container.throughput);
    row.put("lineage", container.lineage);
    row.put("routingVersion", container.routingMap.version());
    ArrayNode ranges = row.putArray("ranges");
    List<PartitionKeyRange> all = container.routingMap.ranges();
    for (int i = 0; i < all.size(); i++) {
      ObjectNode range = ranges.addObject();
      range.put("id", all.get(i).id());
      range.put("min", all.get(i).minInclusive());
      range.put("max", all.get(i).maxExclusive());
      range.put("partition", all.get(i).partition().value());
      ArrayNode parents = range.putArray("parents");
      all.get(i).parents().forEach(parents::add);
      ArrayNode members = range.putArray("members");
      for (ReplicaId member : container.members.get(i)) {
        members
            .addObject()
            .put("store", member.store().toString())
            .put("inc", member.incarnation());
      }
    }
    return bytes(row);
  }

  public static ContainerRow container(JsonNode row) {
    List<String> paths = new ArrayList<>();
    row.get("paths").forEach(path -> paths.add(path.textValue()));
    List<PartitionKeyRange> ranges = new ArrayList<>();
    List<List<ReplicaId>> members = new ArrayList<>();
    for (JsonNode range : row.get("ranges")) {
      var partition = new PhysicalPartitionId(range.get("partition").longValue());
      List<Integer> parents = new ArrayList<>();
      range.get("parents").forEach(parent -> parents.add(parent.intValue()));
      ranges.add(new PartitionKeyRange(
          range.get("id").intValue(), text(range, "min"), text(range, "max"), partition, parents));
      List<ReplicaId> replicas = new ArrayList<>();
      for (JsonNode member : range.get("members")) {
        replicas.add(new ReplicaId(
            partition, Uid.parse(text(member, "store")), member.get("inc").longValue()));
      }
      members.add(replicas);
    }
    return new ContainerRow(
        text(row, "database"),
        text(row, "databaseRid"),
        text(row, "name"),
        text(row, "rid"),
        new PartitionKeyDefinition(
            PartitionKeyDefinition.Kind.valueOf(text(row, "kind")),
            row.get("version").intValue(),
            paths),
        text(row, "definition"),
        throughput(row),
        new RoutingMap(row.get("routingVersion").longValue(), ranges),
        members,
        row.get("lineage").longValue());
  }

  public static Bytes write(RetiredRow retired) {
    ObjectNode row = row(retiredRowId(retired.containerRid));
    row.put("rid", retired.containerRid);
    ArrayNode partitions = row.putArray("partitions");
    retired.partitions.forEach(partition -> partitions.add(partition.value()));
    return bytes(row);
  }

  public static RetiredRow retired(JsonNode row) {
    List<PhysicalPartitionId> partitions = new ArrayList<>();
    row.get("partitions").forEach(p -> partitions.add(new PhysicalPartitionId(p.longValue())));
    return new RetiredRow(text(row, "rid"), partitions);
  }

  private static ObjectNode row(String id) {
    ObjectNode row = JSON.createObjectNode();
    row.put("id", id);
    row.put("pk", PARTITION_KEY);
    return row;
  }

  private static void putThroughput(ObjectNode row, Optional<Throughput> throughput) {
    throughput.ifPresent(t ->
        row.putObject("throughput").put("ru", t.requestUnits()).put("autoscale", t.autoscale()));
  }

  private static Optional<Throughput> throughput(JsonNode row) {
    JsonNode t = row.get("throughput");
    return t == null
        ? Optional.empty()
        : Optional.of(new Throughput(t.get("ru").intValue(), t.get("autoscale").booleanValue()));
  }

  private static String text(JsonNode node, String field) {
    return node.get(field).textValue();
  }

  private static Bytes bytes(ObjectNode row) {
    try {
      return Bytes.wrap(JSON.writeValueAsBytes(row));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
