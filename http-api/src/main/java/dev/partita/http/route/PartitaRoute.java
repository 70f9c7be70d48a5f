package dev.partita.http.route;

import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.Authenticator;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Json;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.api.Partita;
import dev.partita.runtime.api.StatusReport;
import dev.partita.runtime.api.StatusReport.ContainerStatus;
import dev.partita.runtime.api.StatusReport.PhysicalPartitionStatus;
import dev.partita.runtime.model.Bytes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What stands beside the dialect, under {@code /_partita}: {@code health}, {@code ready} and {@code certificate} for
 * everybody, {@code status} for holders of a key.
 */
final class PartitaRoute {
  private static final String UP = "{\"status\":\"up\"}";
  private static final String READY = "{\"status\":\"ready\"}";
  private static final String NOT_READY =
      "{\"status\":\"not ready\",\"reason\":\"A write would not succeed now: the"
          + " catalog has no primary with a write quorum yet.\"}";

  private final Partita partita;
  private final Optional<String> certificatePem;

  PartitaRoute(Partita partita, Optional<String> certificatePem) {
    this.partita = partita;
    this.certificatePem = certificatePem;
  }

  /** Answers what needs no key; empty for everything else. */
  Optional<HttpResponse> withoutKey(Exchange exchange) {
    if (exchange.path().size() != 2 || !exchange.segment(0).equals("_partita")) {
      return Optional.empty();
    }
    return switch (exchange.segment(1)) {
      case "health" -> Optional.of(get(exchange, 200, UP));
      case "ready" ->
        Optional.of(partita.ready() ? get(exchange, 200, READY) : get(exchange, 503, NOT_READY));
      case "certificate" -> Optional.of(certificate(exchange));
      default -> Optional.empty();
    };
  }

  private static HttpResponse get(Exchange exchange, int status, String json) {
    checkGet(exchange);
    return new Reply(exchange).json(status, Bytes.utf8(json));
  }

  private HttpResponse certificate(Exchange exchange) {
    checkGet(exchange);
    return certificatePem
        .map(pem -> new Reply(exchange).text(ContentTypes.TEXT_PLAIN_UTF8, pem))
        .orElseThrow(
            () -> new Refusal(ErrorCode.NOT_FOUND, "This server does not listen for HTTPS."));
  }

  private static void checkGet(Exchange exchange) {
    if (!exchange.method().equals("GET") && !exchange.method().equals("HEAD")) {
      throw new Refusal(ErrorCode.METHOD_NOT_ALLOWED, "Only GET is possible here.");
    }
  }

  /** Signs in a script that sends the key itself; whether it did. */
  static boolean hasKey(Exchange exchange, Authenticator authenticator) {
    String key = exchange.headers().partitaKey;
    return key != null
        && exchange.path().decoded().startsWith("_partita/")
        && authenticator.isKey(key);
  }

  CompletableFuture<HttpResponse> withKey(Exchange exchange) {
    if (!exchange.path().decoded().equals("_partita/status")) {
      throw new Refusal(
          ErrorCode.NOT_FOUND, "Under /_partita there are health, ready, certificate and status.");
    }
    checkGet(exchange);
    return partita.status().thenApply(report -> new Reply(exchange).json(200, json(report)));
  }

  private static ObjectNode json(StatusReport report) {
    ObjectNode json = Json.object();
    ArrayNode nodes = json.putArray("nodes");
    for (StatusReport.Node node : report.nodes()) {
      ArrayNode stores = nodes
          .addObject()
          .put("address", node.address())
          .put("state", node.state())
          .putArray("stores");
      node.stores().forEach(stores::add);
    }
    ArrayNode containers = json.putArray("containers");
    for (ContainerStatus container : report.containers()) {
      ArrayNode partitions = containers
          .addObject()
          .put("database", container.database())
          .put("id", container.id())
          .putArray("physicalPartitions");
      container.physicalPartitions().forEach(partition -> add(partitions, partition));
    }
    return json;
  }

  private static void add(ArrayNode partitions, PhysicalPartitionStatus partition) {
    ArrayNode replicas = partitions
        .addObject()
        .put("id", partition.id())
        .put("rangeId", partition.rangeId())
        .put("minInclusive", partition.minInclusive())
        .put("maxExclusive", partition.maxExclusive())
        .put("items", partition.items())
        .put("bytes", partition.bytes())
        .put("primary", partition.primary())
        .put("state", partition.state())
        .putArray("replicas");
    partition
        .replicas()
        .forEach(replica -> replicas
            .addObject()
            .put("store", replica.store())
            .put("node", replica.node())
            .put("state", replica.state())
            .put("applied", replica.applied())
            .put("durable", replica.durable()));
  }
}
