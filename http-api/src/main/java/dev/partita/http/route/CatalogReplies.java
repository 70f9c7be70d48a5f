package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.ContinuationToken;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Json;
import dev.partita.http.protocol.PageSize;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.api.CatalogAnswer;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** What the feeds and changes of the catalog have in common. */
final class CatalogReplies {
  private static final int PAGE_ITEMS_MAX = 1_000;

  private CatalogReplies() {}

  /**
   * The value of a change that was made; any other outcome is refused with its status.
   *
   * @param what "database 'd'", for the message
   */
  static <T> T done(CatalogAnswer<T> answer, String what) {
    if (answer instanceof CatalogAnswer.Done<T> done) {
      return done.value();
    } else if (answer instanceof CatalogAnswer.Conflict<T>) {
      throw new Refusal(ErrorCode.CONFLICT, "A " + what + " exists already.");
    } else if (answer instanceof CatalogAnswer.NotFound<T>) {
      throw new Refusal(ErrorCode.NOT_FOUND, "There is no " + what + ", or no owner of it.");
    } else if (answer instanceof CatalogAnswer.PreconditionFailed<T>) {
      throw new Refusal(
          ErrorCode.PRECONDITION_FAILED,
          "The " + what + " has another etag than the one in If-Match.");
    } else if (answer instanceof CatalogAnswer.Forbidden<T> forbidden) {
      throw new Refusal(ErrorCode.FORBIDDEN, forbidden.message());
    }
    throw new Refusal(
        ErrorCode.SERVICE_UNAVAILABLE, ((CatalogAnswer.Unavailable<T>) answer).message());
  }

  /**
   * One page of a feed, in the order of names.
   *
   * @param ownerRid the {@code _rid} of the list: empty for the account's
   * @param key name of the list in the body
   */
  static <T> HttpResponse page(
      Exchange exchange,
      Reply reply,
      String ownerRid,
      String key,
      List<T> all,
      Function<T, String> name,
      Function<T, ObjectNode> json) {
    int max = PageSize.of(exchange.headers(), PAGE_ITEMS_MAX, PAGE_ITEMS_MAX);
    String after = after(exchange, ownerRid);
    List<T> rest = all.stream()
        .filter(resource -> name.apply(resource).compareTo(after) > 0)
        .sorted(Comparator.comparing(name))
        .limit(max + 1L)
        .toList();
    List<T> page = rest.subList(0, Math.min(max, rest.size()));
    ObjectNode body = Json.object().put("_rid", ownerRid);
    ArrayNode list = body.putArray(key);
    page.forEach(resource -> list.add(json.apply(resource)));
    body.put("_count", page.size());
    if (rest.size() > max) {
      String last = name.apply(page.get(max - 1));
      reply.with(HeaderNames.CONTINUATION, new ContinuationToken.AfterName(last).encode(ownerRid));
    }
    return reply
        .with(HeaderNames.ITEM_COUNT, Integer.toString(page.size()))
        .charge(Reply.CATALOG_CHARGE)
        .json(200, body);
  }

  private static String after(Exchange exchange, String ownerRid) {
    String token = exchange.headers().continuation;
    return token == null ? "" : ContinuationToken.decodeName(token, ownerRid);
  }
}
