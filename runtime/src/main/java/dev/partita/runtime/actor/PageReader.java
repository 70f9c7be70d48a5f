package dev.partita.runtime.actor;

import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.PageRead;
import dev.partita.runtime.api.PageRead.Scope;
import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.item.StoredItem;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.ReplicaStore.Scan;
import dev.partita.runtime.store.ReplicaStore.ScanRange;
import dev.partita.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page over the ranges that its scope touches, one after another until it is full. One use. */
final class PageReader {
  /** Finds a replica of a range that is fresh enough and reads there. */
  interface Replicas {
    CompletableFuture<Part> read(
        PartitionKeyRange range, ReadConsistency consistency, Function<LocalReplica, Part> read);
  }

  /** What one range gave. */
  sealed interface Part {}

  private record Found(LocalReplica replica, Lsn applied, Scan scan) implements Part {}

  /** The range could not be read. */
  record Failed(PageAnswer answer) implements Part {}

  private final NodeContext node;
  private final PageRead read;
  private final Replicas replicas;
  private final EffectivePartitionKey min;
  private final EffectivePartitionKey max;
  private final @Nullable Bytes partitionKey;
  private final List<PartitionKeyRange> ranges;
  private final List<Bytes> documents = new ArrayList<>();
  private @Nullable ItemKey last;
  private int rangeIndex;
  private long bytes;
  private double charge;

  PageReader(NodeContext node, Container container, PageRead read, Replicas replicas) {
    this.node = node;
    this.read = read;
    this.replicas = replicas;
    if (read.scope() instanceof Scope.LogicalPartition logical) {
      min = EffectivePartitionKey.of(container.partitionKey(), logical.key());
      boolean whole =
          logical.key().components().size() == container.partitionKey().paths().size();
      max = min.prefixEnd();
      partitionKey = whole ? logical.key().canonicalBytes() : null;
    } else {
      Scope.KeyspaceRange range = (Scope.KeyspaceRange) read.scope();
      min = position(range.minInclusive());
      max = position(range.maxExclusive());
      partitionKey = null;
    }
    PageRead.Position from = read.from();
    EffectivePartitionKey start = from == null ? min : position(from.effectivePartitionKey());
    this.ranges = container.routingMap().overlapping(start, max);
  }

  private static EffectivePartitionKey position(String hex) {
    return EffectivePartitionKey.parse(hex)
        .orElseThrow(() -> new IllegalArgumentException("not a position in the keyspace: " + hex));
  }

  CompletableFuture<PageAnswer> next() {
    if (rangeIndex >= ranges.size()) {
      return CompletableFuture.completedFuture(new PageAnswer.Page(
          documents,
          null,
          new Served(0, Lsn.ZERO, Lsn.ZERO, Lsn.ZERO, node.charges().page(0, false))));
    }
    return replicas
        .read(ranges.get(rangeIndex), read.consistency(), this::scan)
        .thenComposeAsync(this::add, node.storage());
  }

  private Part scan(LocalReplica replica) {
    PageRead.Position from = read.from();
    ItemKey after = from == null
        ? null
        : new ItemKey(
            position(from.effectivePartitionKey()).bytes(),
            from.partitionKey(),
            Bytes.utf8(from.id()));
    EffectivePartitionKey low = position(replica.descriptor().minInclusive());
    EffectivePartitionKey high = position(replica.descriptor().maxExclusive());
    ScanRange range = new ScanRange(
        (min.compareTo(low) > 0 ? min : low).bytes(),
        (max.compareTo(high) < 0 ? max : high).bytes(),
        partitionKey,
        after);
    int itemsMax = read.itemsMax() - documents.size();
    long bytesMax = Math.max(1, read.bytesMax() - bytes);
    try (ReplicaStore.Snapshot snapshot = node.store().snapshot()) {
      ReplicaRecord record = LocalReads.record(snapshot, replica);
      Area area = new Area(replica.descriptor().lineage(), record.slot());
      return new Found(replica, record.applied(), snapshot.scan(area, range, itemsMax, bytesMax));
    } catch (StoreException e) {
      return new Failed(new PageAnswer.Unavailable(e.getMessage()));
    }
  }

  private CompletableFuture<PageAnswer> add(Part part) {
    if (part instanceof Failed failed) {
      return CompletableFuture.completedFuture(failed.answer());
    }
    Found found = (Found) part;
    long foundBytes = 0;
    for (Scan.Found item : found.scan().items()) {
      Bytes document = StoredItem.decode(item.value()).document();
      documents.add(document);
      last = item.key();
      foundBytes += document.length();
    }
    bytes += foundBytes;
    charge += node.charges().page(foundBytes, LocalReads.isDoubled(read.consistency()));
    boolean lastRange = rangeIndex == ranges.size() - 1;
    boolean full = documents.size() >= read.itemsMax() || bytes >= read.bytesMax();
    if (!found.scan().more() && !lastRange && !full) {
      rangeIndex++;
      return next();
    }
    boolean more = found.scan().more() || !lastRange;
    Served served = LocalReads.served(found.replica(), found.applied(), Lsn.ZERO, charge);
    return CompletableFuture.completedFuture(
        new PageAnswer.Page(documents, more ? position() : null, served));
  }

  /** After the last item delivered; a page that has more to come has delivered one. */
  private PageRead.@Nullable Position position() {
    if (last == null) {
      return read.from();
    }
    return new PageRead.Position(
        EffectivePartitionKey.ofBytes(last.effectivePartitionKey()).hex(),
        last.partitionKey(),
        last.id().utf8());
  }
}
