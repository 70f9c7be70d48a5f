package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import dev.partita.runtime.catalog.ReplicaOrders;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.NewReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Carries the coordinator's orders to the hosts that are up. */
final class HostOrders implements ReplicaOrders {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ActorSystem<?> system;
  private final ItemsGateway gateway;
  private volatile SortedMap<Uid, ActorRef<ReplicaHost.Command>> hosts = new TreeMap<>();

  HostOrders(ActorSystem<?> system, ItemsGateway gateway) {
    this.system = system;
    this.gateway = gateway;
  }

  /** Forgets the hosts that are not among these. Called by one actor only, as is {@link #add}. */
  void keep(Set<ActorRef<ReplicaHost.Command>> up) {
    SortedMap<Uid, ActorRef<ReplicaHost.Command>> kept = new TreeMap<>(hosts);
    kept.values().retainAll(up);
    hosts = kept;
  }

  void add(ReplicaHost.Stores stores) {
    SortedMap<Uid, ActorRef<ReplicaHost.Command>> more = new TreeMap<>(hosts);
    stores.stores().forEach(store -> more.put(store, stores.host()));
    hosts = more;
  }

  @Override
  public SortedSet<Uid> stores() {
    return new TreeSet<>(hosts.keySet());
  }

  @Override
  public CompletableFuture<Void> create(List<NewReplica> replicas) {
    Map<ActorRef<ReplicaHost.Command>, List<NewReplica>> byHost = new LinkedHashMap<>();
    for (NewReplica replica : replicas) {
      ActorRef<ReplicaHost.Command> host = hosts.get(replica.id().store());
      if (host == null) {
        return CompletableFuture.failedFuture(new CatalogRepository.CatalogUnavailable(
            "store " + replica.id().store() + " is not up; the order is given again when it is"));
      }
      byHost.computeIfAbsent(host, h -> new ArrayList<>()).add(replica);
    }
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    byHost.forEach((host, orders) -> answers.add(create(host, orders)));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> create(
      ActorRef<ReplicaHost.Command> host, List<NewReplica> orders) {
    return AskPattern.<ReplicaHost.Command, ReplicaHost.Created>ask(
            host, replyTo -> new ReplicaHost.Create(orders, replyTo), TIMEOUT, system.scheduler())
        .toCompletableFuture()
        .thenAcceptAsync(
            created -> {
              Set<ReplicaId> missing = new TreeSet<>();
              orders.forEach(order -> missing.add(order.id()));
              created.present().forEach(missing::remove);
              if (!missing.isEmpty()) {
                throw new CatalogRepository.CatalogUnavailable(
                    "replicas were refused: " + created.refusals());
              }
            },
            system.executionContext());
  }

  @Override
  public CompletableFuture<Void> retire(List<PhysicalPartitionId> partitions) {
    partitions.forEach(gateway::gone);
    List<CompletableFuture<ReplicaHost.Retired>> answers = new ArrayList<>();
    for (ActorRef<ReplicaHost.Command> host : new TreeSet<>(hosts.values())) {
      answers.add(AskPattern.<ReplicaHost.Command, ReplicaHost.Retired>ask(
              host,
              replyTo -> new ReplicaHost.Retire(partitions, replyTo),
              TIMEOUT,
              system.scheduler())
          .toCompletableFuture());
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  @Override
  public void wake(List<PhysicalPartitionId> partitions) {
    partitions.forEach(gateway::wake);
  }
}
