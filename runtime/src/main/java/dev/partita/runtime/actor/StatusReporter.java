package dev.partita.runtime.actor;

import akka.actor.typed.ActorSystem;
import akka.cluster.typed.Cluster;
import dev.partita.runtime.actor.PhysicalPartitionActor.PartitionStatus;
import dev.partita.runtime.api.StatusReport;
import dev.partita.runtime.api.StatusReport.ContainerStatus;
import dev.partita.runtime.api.StatusReport.Node;
import dev.partita.runtime.api.StatusReport.PhysicalPartitionStatus;
import dev.partita.runtime.api.StatusReport.ReplicaStatus;
import dev.partita.runtime.catalog.CatalogView.ContainerEntry;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Puts the picture of {@link StatusReport} together from the catalog, the primaries and the replicas here. */
final class StatusReporter {
  private static final long PRIMARY_TIMEOUT_MILLIS = 1_000;

  private final NodeContext node;
  private final ItemsGateway gateway;
  private final CatalogRepository repository;
  private final Cluster cluster;

  StatusReporter(
      ActorSystem<?> system, NodeContext node, ItemsGateway gateway, CatalogRepository repository) {
    this.node = node;
    this.gateway = gateway;
    this.repository = repository;
    this.cluster = Cluster.get(system);
  }

  CompletableFuture<StatusReport> report() {
    return repository
        .renew()
        .thenComposeAsync(
            view -> {
              List<CompletableFuture<ContainerStatus>> containers = new ArrayList<>();
              view.allContainers().stream()
                  .sorted(
                      Comparator.comparing((ContainerEntry e) -> e.container().databaseId())
                          .thenComparing(e -> e.container().id()))
                  .forEach(entry -> containers.add(container(entry)));
              return all(containers)
                  .thenApplyAsync(found -> new StatusReport(nodes(), found), node.storage());
            },
            node.storage());
  }

  private List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    cluster
        .state()
        .getMembers()
        .forEach(member -> nodes.add(new Node(
            member.address().hostPort(),
            member.status().toString(),
            member.equals(cluster.selfMember())
                ? node.stores().stream().map(Uid::toString).toList()
                : List.of())));
    return nodes;
  }

  private CompletableFuture<ContainerStatus> container(ContainerEntry entry) {
    List<CompletableFuture<PhysicalPartitionStatus>> partitions = new ArrayList<>();
    List<PartitionKeyRange> ranges = entry.container().routingMap().ranges();
    for (int i = 0; i < ranges.size(); i++) {
      PartitionKeyRange range = ranges.get(i);
      List<ReplicaId> placed = entry.row().members().get(i);
      partitions.add(gateway
          .status(range.partition(), PRIMARY_TIMEOUT_MILLIS)
          .handleAsync(
              (status, failure) -> partition(range, placed, Optional.ofNullable(status)),
              node.storage()));
    }
    return all(partitions)
        .thenApplyAsync(
            found -> new ContainerStatus(
                entry.container().databaseId(), entry.container().id(), found),
            node.storage());
  }

  private PhysicalPartitionStatus partition(
      PartitionKeyRange range, List<ReplicaId> placed, Optional<PartitionStatus> answer) {
    PartitionStatus status =
        answer.orElseGet(() -> new PartitionStatus(false, false, new TreeMap<>(), Set.of()));
    List<LocalReplica> locals = node.locals().of(range.partition());
    Optional<LocalReplica> furthest = node.locals().furthest(range.partition());
    Lsn last = status.members().values().stream().max(Comparator.naturalOrder()).orElse(Lsn.ZERO);
    String self = cluster.selfMember().address().hostPort();
    List<ReplicaStatus> replicas = new ArrayList<>();
    for (ReplicaId id : placed) {
      Optional<LocalReplica> local =
          locals.stream().filter(r -> r.id().equals(id)).findFirst();
      Lsn applied = local.map(LocalReplica::applied).orElse(Lsn.ZERO);
      Lsn durable =
          local.map(LocalReplica::durable).orElse(status.members().getOrDefault(id, Lsn.ZERO));
      boolean up = status.reachable().contains(id);
      String state = !up ? "DOWN" : durable.compareTo(last) < 0 ? "LAGGING" : "UP";
      replicas.add(new ReplicaStatus(
          id.store().toString(),
          node.stores().contains(id.store()) ? self : "",
          state,
          applied.value(),
          durable.value()));
    }
    return new PhysicalPartitionStatus(
        range.partition().value(),
        range.id(),
        range.minInclusive(),
        range.maxExclusive(),
        furthest.map(r -> r.record().items()).orElse(0L),
        furthest.map(r -> r.record().bytes()).orElse(0L),
        status.serving() ? self : "",
        state(status, placed),
        replicas);
  }

  private static String state(PartitionStatus status, List<ReplicaId> placed) {
    if (!status.serving()) {
      return "RECOVERING";
    }
    if (!status.writable()) {
      return "NO_WRITE_QUORUM";
    }
    return status.reachable().containsAll(placed) ? "SERVING" : "DEGRADED";
  }

  private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
        .thenApply(nothing -> futures.stream().map(CompletableFuture::join).toList());
  }
}
