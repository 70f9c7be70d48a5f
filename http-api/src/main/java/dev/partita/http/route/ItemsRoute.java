package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import dev.partita.http.protocol.ConsistencyHeaders;
import dev.partita.http.protocol.DocumentScanner;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestHeaders;
import dev.partita.http.protocol.ResourceNames;
import dev.partita.http.protocol.ScannedDocument;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemRead;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey;
import java.util.concurrent.CompletableFuture;

/** Single items: {@code POST .../docs} and everything on {@code .../docs/{id}}. */
final class ItemsRoute {
  /** A container that is gone is looked up again: it may have been re-created, or our copy was old. */
  private static final int LOOKUPS_MAX = 3;

  private final Containers containers;
  private final Items items;
  private final Level accountLevel;

  ItemsRoute(Containers containers, Items items, Level accountLevel) {
    this.containers = containers;
    this.items = items;
    this.accountLevel = accountLevel;
  }

  /** One call of the runtime for a container that was found. */
  @FunctionalInterface
  private interface Call {
    CompletableFuture<ItemAnswer> in(ContainerView view);
  }

  CompletableFuture<HttpResponse> create(Exchange exchange) {
    ConsistencyHeaders.level(exchange.headers(), accountLevel);
    Operation operation = exchange.headers().upsert ? Operation.UPSERT : Operation.CREATE;
    return attempt(exchange, view -> write(exchange, view, operation, scan(exchange, view)), 1);
  }

  CompletableFuture<HttpResponse> replace(Exchange exchange) {
    ConsistencyHeaders.level(exchange.headers(), accountLevel);
    return attempt(
        exchange,
        view -> {
          ScannedDocument item = scan(exchange, view);
          if (!item.id().equals(exchange.segment(5))) {
            throw Refusal.bad("The id of an item cannot be changed: the path names '"
                + exchange.segment(5) + "', the item '" + item.id() + "'.");
          }
          return write(exchange, view, Operation.REPLACE, item);
        },
        1);
  }

  CompletableFuture<HttpResponse> delete(Exchange exchange) {
    ConsistencyHeaders.level(exchange.headers(), accountLevel);
    return attempt(
        exchange,
        view -> {
          RequestHeaders headers = exchange.headers();
          PartitionKey key = ItemKeys.ofHeader(headers, view.container().partitionKey());
          return items.write(
              view.container(),
              new ItemWrite(Operation.DELETE, key, id(exchange), Bytes.EMPTY, headers.ifMatch));
        },
        1);
  }

  CompletableFuture<HttpResponse> read(Exchange exchange) {
    RequestHeaders headers = exchange.headers();
    ReadConsistency consistency = ConsistencyHeaders.read(headers, accountLevel);
    return attempt(
        exchange,
        view -> items.read(
            view.container(),
            new ItemRead(
                ItemKeys.ofHeader(headers, view.container().partitionKey()),
                id(exchange),
                headers.ifNoneMatch,
                consistency)),
        1);
  }

  private static String id(Exchange exchange) {
    ResourceNames.checkItemId(exchange.segment(5));
    return exchange.segment(5);
  }

  private static ScannedDocument scan(Exchange exchange, ContainerView view) {
    return DocumentScanner.scan(exchange.body().toArray(), view.keyPaths());
  }

  private CompletableFuture<ItemAnswer> write(
      Exchange exchange, ContainerView view, Operation operation, ScannedDocument item) {
    RequestHeaders headers = exchange.headers();
    PartitionKey key = ItemKeys.ofItem(headers, view.container().partitionKey(), item);
    String ifMatch = operation == Operation.CREATE ? null : headers.ifMatch;
    return items.write(
        view.container(), new ItemWrite(operation, key, item.id(), item.body(), ifMatch));
  }

  private CompletableFuture<HttpResponse> attempt(Exchange exchange, Call call, int lookups) {
    return containers
        .owner(exchange)
        .thenCompose(view -> call.in(view).thenCompose(answer -> {
          if (answer instanceof ItemAnswer.ContainerGone && lookups < LOOKUPS_MAX) {
            return attempt(exchange, call, lookups + 1);
          }
          return CompletableFuture.completedFuture(answer(exchange, view, answer));
        }));
  }

  private static HttpResponse answer(Exchange exchange, ContainerView view, ItemAnswer answer) {
    Reply reply = view.reply(exchange);
    if (answer instanceof ItemAnswer.Done done) {
      return done(exchange, reply.served(done.served()), done);
    } else if (answer instanceof ItemAnswer.NotModified same) {
      return reply.served(same.served()).with(HeaderNames.ETAG, same.etag()).empty(304);
    } else if (answer instanceof ItemAnswer.NotFound missing) {
      return reply
          .served(missing.served())
          .error(ErrorCode.NOT_FOUND, "Entity with the specified id does not exist in the system.");
    } else if (answer instanceof ItemAnswer.Conflict conflict) {
      return reply
          .served(conflict.served())
          .error(ErrorCode.CONFLICT, "Entity with the specified id already exists in the system.");
    } else if (answer instanceof ItemAnswer.PreconditionFailed failed) {
      return reply
          .served(failed.served())
          .error(
              ErrorCode.PRECONDITION_FAILED, "The item has another etag than the one in If-Match.");
    } else if (answer instanceof ItemAnswer.SessionNotReached behind) {
      return reply
          .served(behind.served())
          .error(
              ErrorCode.SESSION_NOT_REACHED, "No replica has reached the session token in time.");
    } else if (answer instanceof ItemAnswer.TooManyRequests busy) {
      return reply.charge(0).refuse(Refusal.tooMany(busy.message(), busy.retryAfter()));
    } else if (answer instanceof ItemAnswer.Unavailable unavailable) {
      return reply.charge(0).error(ErrorCode.SERVICE_UNAVAILABLE, unavailable.message());
    } else if (answer instanceof ItemAnswer.OutcomeUnknown unknown) {
      return reply.charge(0).error(ErrorCode.REQUEST_TIMEOUT, unknown.message());
    }
    return reply
        .charge(0)
        .error(ErrorCode.OWNER_NOT_FOUND, "The container was deleted while the request ran.");
  }

  private static HttpResponse done(Exchange exchange, Reply reply, ItemAnswer.Done done) {
    if (done.outcome() == ItemAnswer.Outcome.DELETED) {
      return reply.empty(204);
    }
    reply.with(HeaderNames.ETAG, done.etag());
    int status = done.outcome() == ItemAnswer.Outcome.CREATED ? 201 : 200;
    boolean minimal = exchange.headers().returnMinimal && done.outcome() != ItemAnswer.Outcome.READ;
    return minimal ? reply.empty(status) : reply.json(status, done.document());
  }
}
