package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import dev.partita.http.fanout.PageFanout;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.api.Partita;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Finds the resource of an authenticated request by its path and method. */
final class Routes {
  private static final Set<String> ABSENT_FEEDS = Set.of(
      "sprocs",
      "triggers",
      "udfs",
      "conflicts",
      "operations",
      "attachments",
      "clientencryptionkeys");
  private static final Set<String> ABSENT_OF_DATABASES = Set.of("users", "clientencryptionkeys");

  private final PartitaRoute partita;
  private final AccountRoute account;
  private final DatabasesRoute databases;
  private final ContainersRoute containers;
  private final RangesRoute ranges;
  private final ItemsRoute items;
  private final FeedRoute feed;

  Routes(Partita runtime, Settings settings, Optional<String> certificatePem) {
    var lookup = new Containers(runtime.catalog());
    this.partita = new PartitaRoute(runtime, certificatePem);
    this.account = new AccountRoute(settings.accountLevel());
    this.databases = new DatabasesRoute(lookup);
    this.containers = new ContainersRoute(lookup, settings.physicalPartitions());
    this.ranges = new RangesRoute(lookup);
    this.items = new ItemsRoute(lookup, runtime.items(), settings.accountLevel());
    this.feed = new FeedRoute(
        lookup, new PageFanout(runtime.items(), System::nanoTime, settings.pageTime()), settings);
  }

  PartitaRoute partita() {
    return partita;
  }

  CompletableFuture<HttpResponse> route(Exchange exchange) {
    int size = exchange.path().size();
    String first = size == 0 ? "" : exchange.segment(0);
    if (size == 0) {
      return switch (exchange.method()) {
        case "GET" -> CompletableFuture.completedFuture(account.read(exchange));
        default -> throw notAllowed(exchange, "GET");
      };
    }
    return switch (first) {
      case "dbs" -> size <= 2 ? databases(exchange, size) : belowDatabase(exchange, size);
      case "_partita" -> partita.withKey(exchange);
      case "offers" ->
        throw Refusal.bad(
            "This server has no offers: throughput is set when a container is created.");
      default -> throw noResource(exchange);
    };
  }

  private CompletableFuture<HttpResponse> databases(Exchange exchange, int size) {
    if (size == 1) {
      return switch (exchange.method()) {
        case "GET" -> databases.list(exchange);
        case "POST" -> databases.post(exchange);
        default -> throw notAllowed(exchange, "GET and POST");
      };
    }
    return switch (exchange.method()) {
      case "GET" -> databases.read(exchange);
      case "DELETE" -> databases.delete(exchange);
      default -> throw notAllowed(exchange, "GET and DELETE");
    };
  }

  private CompletableFuture<HttpResponse> belowDatabase(Exchange exchange, int size) {
    String kind = exchange.segment(2);
    if (ABSENT_OF_DATABASES.contains(kind)) {
      throw Refusal.bad("This server has no " + kind + ".");
    }
    if (!kind.equals("colls")) {
      throw noResource(exchange);
    }
    return switch (size) {
      case 3 ->
        switch (exchange.method()) {
          case "GET" -> containers.list(exchange);
          case "POST" -> containers.post(exchange);
          default -> throw notAllowed(exchange, "GET and POST");
        };
      case 4 ->
        switch (exchange.method()) {
          case "GET" -> containers.read(exchange);
          case "PUT" -> containers.replace(exchange);
          case "DELETE" -> containers.delete(exchange);
          default -> throw notAllowed(exchange, "GET, PUT and DELETE");
        };
      default -> belowContainer(exchange, size);
    };
  }

  private CompletableFuture<HttpResponse> belowContainer(Exchange exchange, int size) {
    String kind = exchange.segment(4);
    if (kind.equals("docs") && size == 5) {
      return docs(exchange);
    } else if (kind.equals("docs") && size == 6) {
      return doc(exchange);
    } else if (kind.equals("pkranges") && size == 5) {
      if (exchange.method().equals("GET")) {
        return ranges.list(exchange);
      }
      throw notAllowed(exchange, "GET");
    } else if (ABSENT_FEEDS.contains(kind)) {
      throw Refusal.bad("This server has no " + kind + ".");
    }
    throw noResource(exchange);
  }

  private CompletableFuture<HttpResponse> docs(Exchange exchange) {
    return switch (exchange.method()) {
      case "GET" -> feed.list(exchange);
      case "POST" -> {
        if (exchange.headers().queryPlan) {
          yield feed.plan(exchange);
        } else if (exchange.headers().batch) {
          throw Refusal.bad("This server has no batches: send one request for each item.");
        }
        yield exchange.headers().query ? feed.query(exchange) : items.create(exchange);
      }
      default -> throw notAllowed(exchange, "GET and POST");
    };
  }

  private CompletableFuture<HttpResponse> doc(Exchange exchange) {
    return switch (exchange.method()) {
      case "GET" -> items.read(exchange);
      case "PUT" -> items.replace(exchange);
      case "DELETE" -> items.delete(exchange);
      case "PATCH" ->
        throw Refusal.bad(
            "This server has no patch: read the item, change it and replace it with If-Match.");
      default -> throw notAllowed(exchange, "GET, PUT and DELETE");
    };
  }

  private static Refusal notAllowed(Exchange exchange, String allowed) {
    return new Refusal(
        ErrorCode.METHOD_NOT_ALLOWED,
        exchange.method() + " is not possible on /" + exchange.path().decoded() + ", only "
            + allowed + ".");
  }

  private static Refusal noResource(Exchange exchange) {
    return new Refusal(
        ErrorCode.NOT_FOUND, "There is no resource at /" + exchange.path().decoded() + ".");
  }
}
