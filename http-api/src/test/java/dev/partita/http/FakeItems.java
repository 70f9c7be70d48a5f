package dev.partita.http;

import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.api.ItemRead;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.PageRead;
import dev.partita.runtime.api.PageRead.Position;
import dev.partita.runtime.api.PageRead.Scope;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Items in one sorted map per container, with an LSN per range. */
public final class FakeItems implements Items {
  private record Place(String epk, Bytes key, String id) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::epk).thenComparing(Place::key).thenComparing(Place::id);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  private record Stored(Bytes document, String etag, long lsn) {}

  private final Map<String, NavigableMap<Place, Stored>> containers = new HashMap<>();
  private final Map<String, Long> lsns = new HashMap<>();
  private final Deque<ItemAnswer> scriptedItems = new ArrayDeque<>();
  private final Deque<PageAnswer> scriptedPages = new ArrayDeque<>();

  /** The next write or read answers this instead. */
  public synchronized void next(ItemAnswer answer) {
    scriptedItems.add(answer);
  }

  /** The next page is this instead. */
  public synchronized void next(PageAnswer answer) {
    scriptedPages.add(answer);
  }

  synchronized void forget(String rid) {
    containers.remove(rid);
  }

  @Override
  public synchronized CompletableFuture<ItemAnswer> write(Container container, ItemWrite write) {
    return CompletableFuture.completedFuture(
        scriptedItems.isEmpty() ? written(container, write) : scriptedItems.poll());
  }

  private ItemAnswer written(Container container, ItemWrite write) {
    Place place = place(container, write.key(), write.id());
    NavigableMap<Place, Stored> items = items(container);
    Stored present = items.get(place);
    String ifMatch = write.ifMatch();
    if (present == null
        && (write.operation() == Operation.REPLACE || write.operation() == Operation.DELETE)) {
      return new ItemAnswer.NotFound(served(container, place, null));
    }
    if (present != null && write.operation() == Operation.CREATE) {
      return new ItemAnswer.Conflict(served(container, place, present));
    }
    if (present != null
        && ifMatch != null
        && !ifMatch.equals("*")
        && !ifMatch.equals(present.etag())) {
      return new ItemAnswer.PreconditionFailed(served(container, place, present));
    }
    long lsn = lsns.merge(range(container, place), 1L, Long::sum);
    if (write.operation() == Operation.DELETE) {
      items.remove(place);
      return new ItemAnswer.Done(
          Outcome.DELETED, Bytes.EMPTY, present.etag(), served(container, place, null));
    }
    String etag = "\"item-" + lsn + "\"";
    String body = write.body().utf8();
    String open = body.substring(0, body.length() - 1);
    Bytes document = Bytes.utf8(open + (open.strip().endsWith("{") ? "" : ",")
        + "\"_rid\":\"r\",\"_self\":\"s\",\"_etag\":\"\\\"item-" + lsn
        + "\\\"\",\"_attachments\":\"attachments/\",\"_ts\":1796052955}");
    Stored stored = new Stored(document, etag, lsn);
    items.put(place, stored);
    return new ItemAnswer.Done(
        present == null ? Outcome.CREATED : Outcome.REPLACED,
        document,
        etag,
        served(container, place, stored));
  }

  @Override
  public synchronized CompletableFuture<ItemAnswer> read(Container container, ItemRead read) {
    return CompletableFuture.completedFuture(
        scriptedItems.isEmpty() ? found(container, read) : scriptedItems.poll());
  }

  private ItemAnswer found(Container container, ItemRead read) {
    Place place = place(container, read.key(), read.id());
    Stored stored = items(container).get(place);
    Served served = served(container, place, stored);
    if (behind(read.consistency(), served)) {
      return new ItemAnswer.SessionNotReached(served);
    } else if (stored == null) {
      return new ItemAnswer.NotFound(served);
    } else if (stored.etag().equals(read.ifNoneMatch())) {
      return new ItemAnswer.NotModified(stored.etag(), served);
    }
    return new ItemAnswer.Done(Outcome.READ, stored.document(), stored.etag(), served);
  }

  private static boolean behind(ReadConsistency consistency, Served served) {
    return consistency.level() == Level.SESSION
        && consistency.token() != null
        && consistency.token().seenOf(served.rangeId(), List.of()).isAfter(served.lsn());
  }

  @Override
  public synchronized CompletableFuture<PageAnswer> page(Container container, PageRead read) {
    if (!scriptedPages.isEmpty()) {
      return CompletableFuture.completedFuture(scriptedPages.poll());
    }
    var documents = new ArrayList<Bytes>();
    Position next = null;
    int bytes = 0;
    String from = "";
    for (Map.Entry<Place, Stored> entry : items(container).entrySet()) {
      Place place = entry.getKey();
      if (!inScope(place, read.scope()) || !isAfter(place, read.from())) {
        continue;
      }
      if (documents.size() == read.itemsMax() || bytes >= read.bytesMax()) {
        return page(documents, next, container, from);
      }
      documents.add(entry.getValue().document());
      bytes += entry.getValue().document().length();
      next = new Position(place.epk(), place.key(), place.id());
      from = place.epk();
    }
    if (read.scope() instanceof Scope.KeyspaceRange range) {
      from = range.minInclusive();
    }
    return page(documents, null, container, from);
  }

  private CompletableFuture<PageAnswer> page(
      List<Bytes> documents, Position next, Container container, String epk) {
    Served served = served(container, new Place(epk, Bytes.EMPTY, ""), null);
    return CompletableFuture.completedFuture(new PageAnswer.Page(documents, next, served));
  }

  private static boolean inScope(Place place, Scope scope) {
    if (scope instanceof Scope.LogicalPartition logical) {
      return place.key().equals(logical.key().canonicalBytes());
    }
    Scope.KeyspaceRange range = (Scope.KeyspaceRange) scope;
    return place.epk().compareTo(range.minInclusive()) >= 0
        && place.epk().compareTo(range.maxExclusive()) < 0;
  }

  private static boolean isAfter(Place place, Position from) {
    return from == null
        || place.compareTo(new Place(from.effectivePartitionKey(), from.partitionKey(), from.id()))
            > 0;
  }

  private NavigableMap<Place, Stored> items(Container container) {
    return containers.computeIfAbsent(container.rid(), rid -> new TreeMap<>());
  }

  private static Place place(Container container, PartitionKey key, String id) {
    return new Place(
        EffectivePartitionKey.of(container.partitionKey(), key).hex(), key.canonicalBytes(), id);
  }

  private static PartitionKeyRange rangeOf(Container container, Place place) {
    return container.routingMap().ranges().stream()
        .filter(range -> range.contains(place.epk()))
        .findFirst()
        .orElseThrow();
  }

  private static String range(Container container, Place place) {
    return container.rid() + "/" + rangeOf(container, place).id();
  }

  private Served served(Container container, Place place, Stored stored) {
    Lsn lsn = new Lsn(lsns.getOrDefault(range(container, place), 0L));
    return new Served(
        rangeOf(container, place).id(),
        lsn,
        lsn,
        stored == null ? Lsn.ZERO : new Lsn(stored.lsn()),
        1.25);
  }
}
