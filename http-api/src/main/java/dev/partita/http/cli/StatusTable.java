package dev.partita.http.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays the status of a cluster out for a terminal. */
final class StatusTable {
  private static final List<String> HEADS = List.of(
      "CONTAINER",
      "ID",
      "FROM",
      "TO",
      "ITEMS",
      "BYTES",
      "STATE",
      "PRIMARY",
      "REPLICAS (APPLIED LSN)");
  private static final int BOUND_MAX = 12;

  private StatusTable() {}

  /** The table for an answer of {@code /_partita/status}. */
  static String of(JsonNode status) {
    var out = new StringBuilder();
    for (var node : status.path("nodes")) {
      out.append("node ")
          .append(node.isTextual() ? node.asText() : node.path("address").asText());
      if (node.hasNonNull("state")) {
        out.append("  ").append(node.path("state").asText());
      }
      out.append('\n');
    }
    var rows = new ArrayList<List<String>>();
    for (var container : status.path("containers")) {
      var name =
          container.path("database").asText() + "/" + container.path("id").asText();
      for (var partition : container.path("physicalPartitions")) {
        rows.add(row(name, partition));
      }
    }
    if (rows.isEmpty()) {
      return out.append("no containers yet").toString();
    }
    rows.add(0, HEADS);
    return out.append('\n').append(aligned(rows)).toString();
  }

  private static List<String> row(String container, JsonNode partition) {
    var replicas = new ArrayList<String>();
    for (var replica : partition.path("replicas")) {
      var state = replica.path("state").asText("");
      replicas.add(replica.path("applied").asText()
          + (state.equals("UP") || state.isEmpty() ? "" : " " + state));
    }
    return List.of(
        container,
        partition.path("id").asText(),
        bound(partition.path("minInclusive").asText()),
        bound(partition.path("maxExclusive").asText()),
        String.format(Locale.ROOT, "%,d", partition.path("items").asLong()),
        String.format(Locale.ROOT, "%,d", partition.path("bytes").asLong()),
        partition.path("state").asText("-"),
        partition.path("primary").asText("").isEmpty()
            ? "none"
            : partition.path("primary").asText(),
        String.join(", ", replicas));
  }

  private static String bound(String key) {
    if (key.isEmpty()) {
      return "-";
    }
    return key.length() > BOUND_MAX ? key.substring(0, BOUND_MAX) + "..." : key;
  }

  private static String aligned(List<List<String>> rows) {
    var out = new StringBuilder();
    for (var row : rows) {
      for (int column = 0; column < row.size(); column++) {
        boolean number = column == 4 || column == 5;
        int width = width(rows, column);
        boolean last = column == row.size() - 1;
        out.append(
            last
                ? row.get(column)
                : String.format("%" + (number ? "" : "-") + width + "s  ", row.get(column)));
      }
      out.append('\n');
    }
    return out.toString().stripTrailing();
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
  }
}
