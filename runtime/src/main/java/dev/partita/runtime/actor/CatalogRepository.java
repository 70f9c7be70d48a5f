package dev.partita.runtime.actor;

import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.catalog.CatalogChanges;
import dev.partita.runtime.catalog.CatalogStore;
import dev.partita.runtime.catalog.CatalogView;
import dev.partita.runtime.item.StoredItem;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaRecord;
import dev.partita.runtime.store.ReplicaStore;
import dev.partita.runtime.store.ReplicaStore.Scan;
import dev.partita.runtime.store.ReplicaStore.ScanRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The catalog's rows in the system partition, and this node's picture of them. The picture is renewed when
 * somebody needs a newer one; as long as the replica here has not moved on, it is as good as new.
 */
final class CatalogRepository implements CatalogStore {
  private static final PartitionKeyDefinition DEFINITION =
      new PartitionKeyDefinition(PartitionKeyDefinition.Kind.HASH, 2, List.of("/pk"));
  private static final EffectivePartitionKey POSITION =
      EffectivePartitionKey.of(DEFINITION, CatalogChanges.key());
  private static final int SCAN_ITEMS = 256;
  private static final long SCAN_BYTES = 4L << 20;

  private final ItemsGateway gateway;
  private final NodeContext node;
  private volatile CatalogView view = CatalogView.EMPTY;

  CatalogRepository(ItemsGateway gateway, NodeContext node) {
    this.gateway = gateway;
    this.node = node;
  }

  /** The last picture; perhaps old. */
  CatalogView view() {
    return view;
  }

  @Override
  public CompletableFuture<ItemAnswer> write(ItemWrite write) {
    return gateway.write(PhysicalPartitionId.SYSTEM, POSITION, write);
  }

  @Override
  public CompletableFuture<CatalogView> load() {
    return gateway
        .readIndex(PhysicalPartitionId.SYSTEM)
        .thenComposeAsync(
            index -> index.isEmpty()
                ? CompletableFuture.failedFuture(
                    new CatalogUnavailable("the catalog has no primary with a quorum; try again"))
                : atLeast(index.get()),
            node.storage());
  }

  /** A picture that shows everything that this node's replica has applied; does not ask the primary. */
  CompletableFuture<CatalogView> renew() {
    return atLeast(Lsn.ZERO);
  }

  /** A picture at {@code lsn} or later. */
  CompletableFuture<CatalogView> atLeast(Lsn lsn) {
    Optional<LocalReplica> furthest = node.locals().furthest(PhysicalPartitionId.SYSTEM);
    if (furthest.isEmpty()) {
      return CompletableFuture.failedFuture(
          new CatalogUnavailable("the catalog's replica on this node is not ready; try again"));
    }
    LocalReplica replica = furthest.get();
    CatalogView last = view;
    if (!lsn.isAfter(last.lsn()) && !replica.applied().isAfter(last.lsn())) {
      return CompletableFuture.completedFuture(last);
    }
    return replica
        .whenApplied(lsn)
        .orTimeout(node.settings().requestTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .thenApplyAsync(nothing -> scan(replica), node.storage());
  }

  private CatalogView scan(LocalReplica replica) {
    List<Bytes> rows = new ArrayList<>();
    try (ReplicaStore.Snapshot snapshot = node.store().snapshot()) {
      ReplicaRecord record = LocalReads.record(snapshot, replica);
      Area area = new Area(replica.descriptor().lineage(), record.slot());
      @Nullable ItemKey after = null;
      boolean more = true;
      while (more) {
        Scan scan = snapshot.scan(area, range(after), SCAN_ITEMS, SCAN_BYTES);
        for (Scan.Found found : scan.items()) {
          rows.add(StoredItem.decode(found.value()).document());
          after = found.key();
        }
        more = scan.more();
      }
      return keep(CatalogView.of(record.applied(), rows));
    }
  }

  private static ScanRange range(@Nullable ItemKey after) {
    return new ScanRange(
        POSITION.bytes(),
        POSITION.prefixEnd().bytes(),
        CatalogChanges.key().canonicalBytes(),
        after);
  }

  /** Two scans at once end in any order; the older picture is dropped. */
  private synchronized CatalogView keep(CatalogView scanned) {
    if (scanned.lsn().isAfter(view.lsn())) {
      view = scanned;
    }
    return view;
  }

  /** The catalog cannot be read now; the message is for the caller. */
  static final class CatalogUnavailable extends RuntimeException {
    CatalogUnavailable(String message) {
      super(message, null, false, false);
    }
  }
}
