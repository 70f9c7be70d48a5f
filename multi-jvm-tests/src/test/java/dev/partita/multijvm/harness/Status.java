package dev.partita.multijvm.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What {@code /_partita/status} says about one container. */
public record Status(List<PhysicalPartition> physicalPartitions) {
  /** One physical partition and where its replicas are. */
  public record PhysicalPartition(
      long id, String rangeId, long items, String primary, List<Replica> replicas) {}

  /** A replica, and the LSN that it has applied. */
  public record Replica(String store, String state, long applied) {}

  /** Asks a node. */
  public static Status of(Node node, String database, String container) throws IOException {
    try (var client = node.client()) {
      var reply = client.admin("/_partita/status");
      if (reply.status() != 200) {
        throw new AssertionError("status answered " + reply.error());
      }
      for (var found : reply.json().path("containers")) {
        if (found.path("database").asText().equals(database)
            && found.path("id").asText().equals(container)) {
          return read(found);
        }
      }
      throw new AssertionError(database + "/" + container + " is not in " + reply.text());
    }
  }

  private static Status read(JsonNode container) {
    var partitions = new ArrayList<PhysicalPartition>();
    for (var partition : container.path("physicalPartitions")) {
      var replicas = new ArrayList<Replica>();
      for (var replica : partition.path("replicas")) {
        replicas.add(new Replica(
            replica.path("store").asText(),
            replica.path("state").asText(),
            replica.path("applied").asLong()));
      }
      partitions.add(new PhysicalPartition(
          partition.path("id").asLong(),
          partition.path("rangeId").asText(),
          partition.path("items").asLong(),
          partition.path("primary").asText(),
          replicas));
    }
    return new Status(partitions);
  }

  /** Items of all physical partitions. */
  public long items() {
    return physicalPartitions.stream().mapToLong(PhysicalPartition::items).sum();
  }
}
