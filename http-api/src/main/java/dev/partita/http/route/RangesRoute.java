package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Json;
import dev.partita.runtime.api.Container;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /dbs/{database}/colls/{container}/pkranges}: the live ranges of the routing map, all in one page. The Java SDK
 * asks again with the etag it got until it sees 304, and would go on for ever otherwise.
 */
final class RangesRoute {
  private final Containers containers;

  RangesRoute(Containers containers) {
    this.containers = containers;
  }

  CompletableFuture<HttpResponse> list(Exchange exchange) {
    return containers.owner(exchange).thenApply(view -> {
      Container container = view.container();
      String etag = "\"" + container.routingMap().version() + "-" + container.rid() + "\"";
      Reply reply = view.reply(exchange).with(HeaderNames.ETAG, etag).charge(Reply.CATALOG_CHARGE);
      if (etag.equals(exchange.headers().ifNoneMatch)) {
        return reply.with(HeaderNames.ITEM_COUNT, "0").empty(304);
      }
      ObjectNode body = Json.object().put("_rid", container.rid());
      ArrayNode ranges = body.putArray("PartitionKeyRanges");
      container
          .routingMap()
          .ranges()
          .forEach(range -> ranges.add(SystemProperties.of(container, range)));
      body.put("_count", ranges.size());
      return reply.with(HeaderNames.ITEM_COUNT, Integer.toString(ranges.size())).json(200, body);
    });
  }
}
