package dev.partita.http.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.protocol.ContinuationToken;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemRead;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.PageRead;
import dev.partita.runtime.api.PageRead.Position;
import dev.partita.runtime.api.PageRead.Scope.KeyspaceRange;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.partitioning.RoutingMap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked of which range, answer by answer, over three ranges: to 10, to 20, to FF. */
class PageFanoutTest {
  private static final ReadConsistency SESSION = new ReadConsistency(Level.SESSION, null);
  private final Scripted items = new Scripted();
  private long nanos = 0;
  private final PageFanout fanout = new PageFanout(items, () -> nanos, Duration.ofSeconds(4));

  /** Answers in the order of the script, and keeps what it was asked. */
  private static final class Scripted implements Items {
    final List<PageRead> asked = new ArrayList<>();
    final Deque<CompletableFuture<PageAnswer>> answers = new ArrayDeque<>();

    void then(PageAnswer answer) {
      answers.add(CompletableFuture.completedFuture(answer));
    }

    @Override
    public CompletableFuture<PageAnswer> page(Container container, PageRead read) {
      asked.add(read);
      return answers.remove();
    }

    @Override
    public CompletableFuture<ItemAnswer> write(Container container, ItemWrite write) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<ItemAnswer> read(Container container, ItemRead read) {
      throw new UnsupportedOperationException();
    }
  }

  private static Container container(int count) {
    var ranges = new ArrayList<PartitionKeyRange>();
    String from = "";
    for (int i = 0; i < count; i++) {
      String to = i == count - 1 ? "FF" : String.format("%04X", (i + 1) * 0x3F00 / count);
      ranges.add(new PartitionKeyRange(i, from, to, new PhysicalPartitionId(2L + i), List.of()));
      from = to;
    }
    return new Container(
        "d",
        "EAAAAQ==",
        "c",
        "EAAAAYAAAAI=",
        "\"1\"",
        0,
        new PartitionKeyDefinition(PartitionKeyDefinition.Kind.HASH, 2, List.of("/pk")),
        "{}",
        Optional.empty(),
        new RoutingMap(1, ranges),
        1);
  }

  private static Feed all(int ranges) {
    return Feed.of(container(ranges), EffectivePartitionKey.MIN, EffectivePartitionKey.MAX);
  }

  private static PageAnswer.Page page(int range, Position next, String... documents) {
    return new PageAnswer.Page(
        List.of(documents).stream().map(Bytes::utf8).toList(),
        next,
        new Served(range, new Lsn(range + 1), new Lsn(range + 1), Lsn.ZERO, 1.5));
  }

  private static Position at(String epk) {
    return new Position(epk, Bytes.utf8("k"), "i");
  }

  private FeedPage.Items read(Feed feed, ContinuationToken from, int itemsMax) {
    return (FeedPage.Items) fanout.page(feed, from, itemsMax, 1_000, SESSION).join();
  }

  @Test
  void goesThroughTheRangesAndAddsUpTheirCharges() {
    items.then(page(0, null, "a"));
    items.then(page(1, at("2000"), "b"));
    items.then(page(1, null, "c"));
    items.then(page(2, null));
    FeedPage.Items page = read(all(3), null, 10);
    assertThat(page.documents()).extracting(Bytes::utf8).containsExactly("a", "b", "c");
    assertThat(page.next()).isNull();
    assertThat(page.charge()).isEqualTo(6);
    assertThat(page.served().rangeId()).isEqualTo(2);
    assertThat(items.asked).extracting(PageRead::itemsMax).containsExactly(10, 9, 8, 7);
    assertThat(items.asked).extracting(PageRead::bytesMax).containsExactly(1_000, 999, 998, 997);
    assertThat(items.asked.get(2).from()).isEqualTo(at("2000"));
    assertThat(items.asked.get(3).from()).isNull();
  }

  @Test
  void aFullPageAtTheEndOfARangeGoesOnAtTheNext() {
    items.then(page(0, null, "a", "b"));
    FeedPage.Items page = read(all(3), null, 2);
    assertThat(page.next()).isEqualTo(new ContinuationToken.From("1500"));
    items.then(page(1, null));
    items.then(page(2, null, "z"));
    assertThat(read(all(3), page.next(), 2).documents()).hasSize(1);
    assertThat(items.asked.get(1).scope()).isEqualTo(new KeyspaceRange("1500", "2A00"));
  }

  @Test
  void aFullPageAtTheEndOfTheLastRangeIsTheLast() {
    items.then(page(0, null, "a", "b"));
    assertThat(read(all(1), null, 2).next()).isNull();
  }

  @Test
  void aParentsPlaceBeforeTheChildBeginsAtTheChild() {
    Feed child = Feed.of(
        container(3), EffectivePartitionKey.parse("2A00").orElseThrow(), EffectivePartitionKey.MAX);
    items.then(page(2, null, "z"));
    read(child, new ContinuationToken.After(at("1600")), 5);
    assertThat(items.asked.get(0).from()).isNull();
    items.then(page(2, null, "z"));
    read(child, new ContinuationToken.After(at("2B00")), 5);
    assertThat(items.asked.get(1).from()).isEqualTo(at("2B00"));
  }

  @Test
  void aParentsPlaceBehindTheChildEndsIt() {
    Feed child = Feed.of(
        container(3),
        EffectivePartitionKey.MIN,
        EffectivePartitionKey.parse("1500").orElseThrow());
    FeedPage.Items page = read(child, new ContinuationToken.After(at("1600")), 5);
    assertThat(page.documents()).isEmpty();
    assertThat(page.next()).isNull();
    assertThat(items.asked).isEmpty();
  }

  @Test
  void aRangeThatFailsBehindOneThatGaveItemsEndsThePage() {
    items.then(page(0, null, "a"));
    items.then(new PageAnswer.Unavailable("no replica"));
    FeedPage.Items page = read(all(3), null, 10);
    assertThat(page.documents()).hasSize(1);
    assertThat(page.next()).isEqualTo(new ContinuationToken.From("1500"));
  }

  @Test
  void aRangeThatFailsBeforeAnyItemFailsThePage() {
    items.then(page(0, null));
    items.then(new PageAnswer.Unavailable("no replica"));
    assertThat(fanout.page(all(3), null, 10, 1_000, SESSION).join())
        .isEqualTo(new FeedPage.Failed(new PageAnswer.Unavailable("no replica")));
  }

  @Test
  void endsWhenItsTimeIsUp() {
    var late = new CompletableFuture<PageAnswer>();
    items.answers.add(late);
    CompletableFuture<FeedPage> page = fanout.page(all(3), null, 10, 1_000, SESSION);
    assertThat(page).isNotDone();
    nanos = Duration.ofSeconds(4).toNanos();
    late.complete(page(0, null));
    assertThat(((FeedPage.Items) page.join()).next()).isEqualTo(new ContinuationToken.From("1500"));
  }

  @Test
  @Timeout(30)
  void manyEmptyRangesAreNoDeepStack() {
    for (int i = 0; i < 5_000; i++) {
      items.then(page(i, null));
    }
    assertThat(read(all(5_000), null, 10).next()).isNull();
  }
}
