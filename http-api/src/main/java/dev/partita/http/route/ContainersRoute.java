package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.ContainerDefinition;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Json;
import dev.partita.http.protocol.QueryText;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestPath;
import dev.partita.http.protocol.ThroughputHeaders;
import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.NewContainer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** {@code /dbs/{database}/colls} and {@code /dbs/{database}/colls/{container}}. */
final class ContainersRoute {
  private static final String QUOTA =
      "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;";

  private final Containers containers;
  private final OptionalInt physicalPartitions;

  ContainersRoute(Containers containers, OptionalInt physicalPartitions) {
    this.containers = containers;
    this.physicalPartitions = physicalPartitions;
  }

  CompletableFuture<HttpResponse> list(Exchange exchange) {
    return containers
        .database(exchange, true)
        .thenCompose(database -> catalog()
            .containers(database)
            .thenApply(all -> CatalogReplies.page(
                exchange,
                reply(exchange, database.rid(), database.id()),
                database.rid(),
                "DocumentCollections",
                all,
                Container::id,
                SystemProperties::of)));
  }

  CompletableFuture<HttpResponse> post(Exchange exchange) {
    if (exchange.headers().query || exchange.headers().queryPlan) {
      QueryText.check(exchange.body());
      return list(exchange);
    }
    ContainerDefinition definition = ContainerDefinition.parse(Json.parseObject(exchange.body()));
    OptionalInt asked = ThroughputHeaders.physicalPartitions(exchange.headers());
    var container = new NewContainer(
        definition.id(),
        definition.partitionKey(),
        definition.json().toString(),
        ThroughputHeaders.throughput(exchange.headers()),
        asked.isPresent() ? asked : physicalPartitions);
    return containers
        .database(exchange, true)
        .thenCompose(database -> catalog().createContainer(database, container))
        .thenApply(answer -> answer(exchange, 201, created(answer, definition.id())));
  }

  private static Container created(CatalogAnswer<Container> answer, String id) {
    if (answer instanceof CatalogAnswer.NotFound<Container>) {
      throw new Refusal(ErrorCode.OWNER_NOT_FOUND, "The database was deleted.");
    }
    return CatalogReplies.done(answer, what(id));
  }

  CompletableFuture<HttpResponse> read(Exchange exchange) {
    return containers.container(exchange).thenApply(container -> {
      Reply reply = containerReply(exchange, container).with(HeaderNames.INDEX_PROGRESS, "100");
      if (exchange.headers().populateQuotaInfo) {
        reply.with(HeaderNames.RESOURCE_QUOTA, QUOTA).with(HeaderNames.RESOURCE_USAGE, QUOTA);
      }
      return reply.json(200, SystemProperties.of(container));
    });
  }

  CompletableFuture<HttpResponse> replace(Exchange exchange) {
    ObjectNode body = Json.parseObject(exchange.body());
    return containers
        .container(exchange)
        .thenCompose(container -> {
          ObjectNode present = Json.trusted(container.definitionJson());
          // What cannot be changed need not be repeated.
          for (String fixed : List.of("uniqueKeyPolicy", "conflictResolutionPolicy")) {
            if (!body.hasNonNull(fixed)) {
              body.set(fixed, present.get(fixed));
            }
          }
          ContainerDefinition wanted = ContainerDefinition.parse(body);
          wanted.checkReplaces(
              new ContainerDefinition(container.id(), container.partitionKey(), present));
          return catalog()
              .replaceContainer(
                  container,
                  wanted.json().toString(),
                  Optional.ofNullable(exchange.headers().ifMatch));
        })
        .thenApply(answer ->
            answer(exchange, 200, CatalogReplies.done(answer, what(exchange.segment(3)))));
  }

  CompletableFuture<HttpResponse> delete(Exchange exchange) {
    Optional<String> ifMatch = Optional.ofNullable(exchange.headers().ifMatch);
    return containers
        .container(exchange)
        .thenCompose(container -> catalog().deleteContainer(container, ifMatch))
        .thenApply(answer -> {
          Container gone = CatalogReplies.done(answer, what(exchange.segment(3)));
          return containerReply(exchange, gone).empty(204);
        });
  }

  private Catalog catalog() {
    return containers.catalog();
  }

  private static String what(String id) {
    return "container '" + id + "'";
  }

  private static HttpResponse answer(Exchange exchange, int status, Container container) {
    return containerReply(exchange, container).json(status, SystemProperties.of(container));
  }

  private static Reply containerReply(Exchange exchange, Container container) {
    return reply(exchange, container.databaseRid(), container.databaseId())
        .with(HeaderNames.ETAG, container.etag())
        .charge(Reply.CATALOG_CHARGE);
  }

  /** The owner is the database: the Java change feed builds its paths from that. */
  private static Reply reply(Exchange exchange, String databaseRid, String databaseId) {
    return new Reply(exchange)
        .with(HeaderNames.CONTENT_PATH, databaseRid)
        .with(HeaderNames.ALT_CONTENT_PATH, "dbs/" + RequestPath.encode(databaseId));
  }
}
