package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Json;
import dev.partita.http.protocol.QueryText;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.ResourceNames;
import dev.partita.http.protocol.ThroughputHeaders;
import dev.partita.runtime.api.Database;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code /dbs} and {@code /dbs/{database}}. */
final class DatabasesRoute {
  private final Containers containers;

  DatabasesRoute(Containers containers) {
    this.containers = containers;
  }

  CompletableFuture<HttpResponse> list(Exchange exchange) {
    return containers
        .catalog()
        .databases()
        .thenApply(all -> CatalogReplies.page(
            exchange,
            new Reply(exchange),
            "",
            "Databases",
            all,
            Database::id,
            SystemProperties::of));
  }

  CompletableFuture<HttpResponse> post(Exchange exchange) {
    if (exchange.headers().query || exchange.headers().queryPlan) {
      QueryText.check(exchange.body());
      return list(exchange);
    }
    JsonNode id = Json.parseObject(exchange.body()).path("id");
    if (!id.isTextual()) {
      throw Refusal.bad("A database has an 'id', which is a string.");
    }
    ResourceNames.checkName("database", id.textValue());
    return containers
        .catalog()
        .createDatabase(id.textValue(), ThroughputHeaders.throughput(exchange.headers()))
        .thenApply(answer -> answer(
            exchange, 201, CatalogReplies.done(answer, "database '" + id.textValue() + "'")));
  }

  CompletableFuture<HttpResponse> read(Exchange exchange) {
    return containers
        .database(exchange, false)
        .thenApply(database -> answer(exchange, 200, database));
  }

  CompletableFuture<HttpResponse> delete(Exchange exchange) {
    Optional<String> ifMatch = Optional.ofNullable(exchange.headers().ifMatch);
    return containers
        .database(exchange, false)
        .thenCompose(database -> containers.catalog().deleteDatabase(database, ifMatch))
        .thenApply(answer -> {
          CatalogReplies.done(answer, "database '" + exchange.segment(1) + "'");
          return new Reply(exchange).charge(Reply.CATALOG_CHARGE).empty(204);
        });
  }

  private static HttpResponse answer(Exchange exchange, int status, Database database) {
    return new Reply(exchange)
        .with(HeaderNames.ETAG, database.etag())
        .charge(Reply.CATALOG_CHARGE)
        .json(status, SystemProperties.of(database));
  }
}
