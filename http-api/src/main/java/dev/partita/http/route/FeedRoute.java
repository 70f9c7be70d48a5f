package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import dev.partita.http.fanout.Feed;
import dev.partita.http.fanout.FeedPage;
import dev.partita.http.fanout.PageFanout;
import dev.partita.http.protocol.ConsistencyHeaders;
import dev.partita.http.protocol.ContinuationToken;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.PageSize;
import dev.partita.http.protocol.QueryPlan;
import dev.partita.http.protocol.QueryText;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestHeaders;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.model.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Many items: {@code GET .../docs}, and the query for all of them. */
final class FeedRoute {
  private static final int LOOKUPS_MAX = 3;

  private final Containers containers;
  private final PageFanout fanout;
  private final Settings settings;

  FeedRoute(Containers containers, PageFanout fanout, Settings settings) {
    this.containers = containers;
    this.fanout = fanout;
    this.settings = settings;
  }

  CompletableFuture<HttpResponse> list(Exchange exchange) {
    if (exchange.headers().changeFeed != null) {
      throw Refusal.bad(
          "This server has no change feed (A-IM: " + exchange.headers().changeFeed + ").");
    }
    return page(exchange, 1);
  }

  CompletableFuture<HttpResponse> query(Exchange exchange) {
    QueryText.check(exchange.body());
    return page(exchange, 1);
  }

  CompletableFuture<HttpResponse> plan(Exchange exchange) {
    QueryText.check(exchange.body());
    return containers
        .owner(exchange)
        .thenApply(view ->
            view.reply(exchange).charge(Reply.CATALOG_CHARGE).json(200, QueryPlan.selectAll()));
  }

  private CompletableFuture<HttpResponse> page(Exchange exchange, int lookups) {
    RequestHeaders headers = exchange.headers();
    ReadConsistency consistency = ConsistencyHeaders.read(headers, settings.accountLevel());
    int itemsMax = PageSize.of(headers, settings.pageItemsMax(), settings.pageItemsMax());
    return containers.owner(exchange).thenCompose(view -> {
      Feed feed = FeedScope.of(headers, view.container());
      ContinuationToken from = from(headers.continuation, feed, view.container().rid());
      return fanout
          .page(feed, from, itemsMax, settings.pageBytesMax(), consistency)
          .thenCompose(page -> {
            if (page instanceof FeedPage.Failed failed
                && failed.answer() instanceof PageAnswer.ContainerGone
                && lookups < LOOKUPS_MAX) {
              return page(exchange, lookups + 1);
            }
            return CompletableFuture.completedFuture(answer(exchange, view, page));
          });
    });
  }

  private static @Nullable ContinuationToken from(@Nullable String text, Feed feed, String rid) {
    ContinuationToken token = text == null ? null : ContinuationToken.decodeItems(text, rid);
    if (token != null && !feed.mayGoOn(token)) {
      throw Refusal.bad("The continuation token belongs to another partition key.");
    }
    return token;
  }

  private static HttpResponse answer(Exchange exchange, ContainerView view, FeedPage page) {
    Reply reply = view.reply(exchange);
    if (page instanceof FeedPage.Failed failed) {
      return failed(reply, failed.answer());
    }
    FeedPage.Items items = (FeedPage.Items) page;
    if (items.served() != null) {
      reply.position(items.served());
    }
    if (items.next() != null) {
      reply.with(HeaderNames.CONTINUATION, items.next().encode(view.container().rid()));
    }
    return reply
        .charge(items.charge())
        .with(HeaderNames.ITEM_COUNT, Integer.toString(items.documents().size()))
        .json(200, body(view.container().rid(), items.documents()));
  }

  private static HttpResponse failed(Reply reply, PageAnswer answer) {
    if (answer instanceof PageAnswer.SessionNotReached behind) {
      return reply
          .served(behind.served())
          .error(
              ErrorCode.SESSION_NOT_REACHED, "No replica has reached the session token in time.");
    } else if (answer instanceof PageAnswer.TooManyRequests busy) {
      return reply.charge(0).refuse(Refusal.tooMany(busy.message(), busy.retryAfter()));
    } else if (answer instanceof PageAnswer.Unavailable unavailable) {
      return reply.charge(0).error(ErrorCode.SERVICE_UNAVAILABLE, unavailable.message());
    }
    return reply
        .charge(0)
        .error(ErrorCode.OWNER_NOT_FOUND, "The container was deleted while the request ran.");
  }

  /** {@code {"_rid":"...","Documents":[...],"_count":n}} in one array. */
  private static Bytes body(String rid, List<Bytes> documents) {
    byte[] head = ascii("{\"_rid\":\"" + rid + "\",\"Documents\":[");
    byte[] tail = ascii("],\"_count\":" + documents.size() + "}");
    int length = head.length + tail.length + Math.max(0, documents.size() - 1);
    for (Bytes document : documents) {
      length += document.length();
    }
    var body = new byte[length];
    System.arraycopy(head, 0, body, 0, head.length);
    int to = head.length;
    for (int i = 0; i < documents.size(); i++) {
      if (i > 0) {
        body[to++] = ',';
      }
      Bytes document = documents.get(i);
      System.arraycopy(document.array(), document.offset(), body, to, document.length());
      to += document.length();
    }
    System.arraycopy(tail, 0, body, to, tail.length);
    return Bytes.wrap(body);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
