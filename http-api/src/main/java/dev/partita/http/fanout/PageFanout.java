package dev.partita.http.fanout;

import dev.partita.http.protocol.ContinuationToken;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.PageRead;
import dev.partita.runtime.api.PageRead.Position;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fills one page of a feed from one physical partition after the other, in keyspace order, and says where the next
 * page goes on. It ends early when its time is up, so that a feed over hundreds of empty ranges answers too; and when
 * a range fails behind one that gave items, so that those are not lost.
 */
public final class PageFanout {
  private final Items items;
  private final LongSupplier nanos;
  private final Duration timeMax;

  /**
   * @param nanos a monotonic clock
   * @param timeMax after which no further range is asked
   */
  public PageFanout(Items items, LongSupplier nanos, Duration timeMax) {
    this.items = items;
    this.nanos = nanos;
    this.timeMax = timeMax;
  }

  /**
   * Reads a page.
   *
   * @param from the last page's {@link FeedPage.Items#next}; null to begin
   * @param itemsMax 1 or more
   * @param bytesMax the page ends when its items together have that many bytes
   */
  public CompletableFuture<FeedPage> page(
      Feed feed,
      @Nullable ContinuationToken from,
      int itemsMax,
      int bytesMax,
      ReadConsistency consistency) {
    Position after = null;
    Feed rest = feed;
    if (from instanceof ContinuationToken.After item) {
      after = item.position();
      rest = feed.from(after.effectivePartitionKey());
    } else if (from instanceof ContinuationToken.From place) {
      rest = feed.from(place.effectivePartitionKey());
    }
    if (after != null
        && (rest.pieces().isEmpty()
            || rest.pieces().get(0).minInclusive().compareTo(after.effectivePartitionKey()) > 0)) {
      after = null; // a parent's token at a child that begins behind it
    }
    return new Run(
            rest, after, itemsMax, bytesMax, consistency, nanos.getAsLong() + timeMax.toNanos())
        .go();
  }

  /** One page while it is filled. */
  private final class Run {
    private final Feed feed;
    private final ReadConsistency consistency;
    private final long deadline;
    private final List<Bytes> documents = new ArrayList<>();
    private int piece;
    private @Nullable Position after;
    private int itemsLeft;
    private int bytesLeft;
    private @Nullable Served served;
    private double charge;

    Run(
        Feed feed,
        @Nullable Position after,
        int itemsMax,
        int bytesMax,
        ReadConsistency consistency,
        long deadline) {
      this.feed = feed;
      this.after = after;
      this.itemsLeft = itemsMax;
      this.bytesLeft = bytesMax;
      this.consistency = consistency;
      this.deadline = deadline;
    }

    /** A loop while answers are there at once, so that many ranges do not become a deep stack. */
    CompletableFuture<FeedPage> go() {
      while (piece < feed.pieces().size()) {
        var read = new PageRead(
            feed.pieces().get(piece).scope(), after, itemsLeft, bytesLeft, consistency);
        CompletableFuture<PageAnswer> answer = items.page(feed.container(), read);
        if (!answer.isDone()) {
          return answer.thenCompose(
              late -> take(late) ? CompletableFuture.completedFuture(end(late)) : go());
        }
        PageAnswer now = answer.join();
        if (take(now)) {
          return CompletableFuture.completedFuture(end(now));
        }
      }
      return CompletableFuture.completedFuture(items(null));
    }

    /** Takes an answer in; whether it ends the page. */
    private boolean take(PageAnswer answer) {
      if (!(answer instanceof PageAnswer.Page page)) {
        return true;
      }
      documents.addAll(page.documents());
      itemsLeft -= page.documents().size();
      for (Bytes document : page.documents()) {
        bytesLeft -= document.length();
      }
      served = page.served();
      charge += page.served().charge();
      after = page.next();
      if (after == null) {
        piece++;
      }
      return itemsLeft <= 0 || bytesLeft <= 0 || nanos.getAsLong() - deadline >= 0;
    }

    private FeedPage end(PageAnswer last) {
      if (!(last instanceof PageAnswer.Page) && documents.isEmpty()) {
        return new FeedPage.Failed(last);
      }
      if (after != null) {
        return items(new ContinuationToken.After(after));
      }
      return items(
          piece < feed.pieces().size()
              ? new ContinuationToken.From(feed.pieces().get(piece).minInclusive())
              : null);
    }

    private FeedPage items(@Nullable ContinuationToken next) {
      return new FeedPage.Items(documents, next, served, charge);
    }
  }
}
