package dev.partita.http;

import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.Items;
import dev.partita.runtime.api.Partita;
import dev.partita.runtime.api.StatusReport;
import dev.partita.runtime.api.StatusReport.ContainerStatus;
import dev.partita.runtime.api.StatusReport.Node;
import dev.partita.runtime.api.StatusReport.PhysicalPartitionStatus;
import dev.partita.runtime.api.StatusReport.ReplicaStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A model of the runtime in a few maps: what the routes are tested against. */
public final class FakePartita implements Partita {
  public final FakeItems items = new FakeItems();
  public final FakeCatalog catalog = new FakeCatalog(items);
  public volatile boolean ready = true;

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public Items items() {
    return items;
  }

  @Override
  public CompletableFuture<StatusReport> status() {
    List<ContainerStatus> containers = catalog.all().stream()
        .map(container -> new ContainerStatus(
            container.databaseId(),
            container.id(),
            container.routingMap().ranges().stream()
                .map(range -> new PhysicalPartitionStatus(
                    range.partition().value(),
                    range.id(),
                    range.minInclusive(),
                    range.maxExclusive(),
                    0,
                    0,
                    "n1",
                    "SERVING",
                    List.of(new ReplicaStatus("s1", "n1", "UP", 3, 3))))
                .toList()))
        .toList();
    return CompletableFuture.completedFuture(
        new StatusReport(List.of(new Node("n1", "Up", List.of("s1"))), containers));
  }

  @Override
  public boolean ready() {
    return ready;
  }
}
