package dev.partita.runtime.catalog;

import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.api.NewContainer;
import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.catalog.CatalogRows.ContainerRow;
import dev.partita.runtime.catalog.CatalogRows.Counters;
import dev.partita.runtime.catalog.CatalogRows.DatabaseRow;
import dev.partita.runtime.catalog.CatalogRows.RetiredRow;
import dev.partita.runtime.catalog.CatalogView.ContainerEntry;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.ResourceId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.partitioning.RoutingMap;
import dev.partita.runtime.placement.NewReplica;
import dev.partita.runtime.placement.Placement;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The steps that change the catalog. Every step is a conditional write of one row, so that two of these at
 * work at once cannot harm each other (replication.md B10), and every order to a host follows from rows that
 * are committed (B1), so that {@link #reconcile} can finish what a crash cut short.
 */
public final class CatalogChanges {
  /** Databases and containers of an account together (facts of the service, section 1). */
  public static final int RESOURCES_MAX = 500;

  /** Physical partitions that a container may start with. */
  public static final int START_PARTITIONS_MAX = 1_000;

  /** Request units per second that one physical partition can give. */
  public static final int REQUEST_UNITS_PER_PARTITION = 10_000;

  private static final int ATTEMPTS_MAX = 8;

  private final CatalogStore store;
  private final ReplicaOrders orders;
  private final Executor executor;

  public CatalogChanges(CatalogStore store, ReplicaOrders orders, Executor executor) {
    this.store = store;
    this.orders = orders;
    this.executor = executor;
  }

  public CompletableFuture<CatalogAnswer<Database>> createDatabase(
      String id, Optional<Throughput> throughput) {
    return onView(view -> {
      if (view.database(id).isPresent()) {
        return done(new CatalogAnswer.Conflict<>());
      }
      if (view.resources() >= RESOURCES_MAX) {
        return done(new CatalogAnswer.Forbidden<>(tooMany()));
      }
      return allocate(
          view,
          new Counters(1, 0, 0, 0),
          1,
          (first, incarnation) -> store
              .write(put(
                  Operation.CREATE,
                  CatalogRows.databaseRowId(id),
                  CatalogRows.write(
                      new DatabaseRow(id, ResourceId.database(first.database()), throughput)),
                  null))
              .thenComposeAsync(answer -> answerOf(answer, v -> v.database(id)), executor));
    });
  }

  public CompletableFuture<CatalogAnswer<Container>> createContainer(
      String databaseRid, NewContainer definition) {
    return onView(view -> {
      Optional<Database> database = view.database(databaseRid);
      if (database.isEmpty()) {
        return done(new CatalogAnswer.NotFound<>());
      }
      if (view.container(databaseRid, definition.id()).isPresent()) {
        return done(new CatalogAnswer.Conflict<>());
      }
      if (view.resources() >= RESOURCES_MAX) {
        return done(new CatalogAnswer.Forbidden<>(tooMany()));
      }
      int partitions = startPartitions(definition);
      return allocate(
          view,
          new Counters(0, 1, partitions, 1),
          1,
          (first, incarnation) ->
              placeContainer(view, database.get(), definition, partitions, first, incarnation));
    });
  }

  private CompletableFuture<CatalogAnswer<Container>> placeContainer(
      CatalogView view,
      Database database,
      NewContainer definition,
      int partitions,
      Counters first,
      long incarnation) {
    List<PhysicalPartitionId> ids = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      ids.add(new PhysicalPartitionId(first.physicalPartition() + i));
    }
    RoutingMap routingMap = RoutingMap.starting(definition.partitionKey(), ids);
    ContainerRow row = new ContainerRow(
        database.id(),
        database.rid(),
        definition.id(),
        ResourceId.container(database.rid(), first.container()),
        definition.partitionKey(),
        definition.definitionJson(),
        definition.throughput(),
        routingMap,
        place(view, ids, incarnation),
        first.lineage());
    return store
        .write(put(
            Operation.CREATE,
            CatalogRows.containerRowId(database.rid(), definition.id()),
            CatalogRows.write(row),
            null))
        .thenComposeAsync(
            answer -> answer instanceof ItemAnswer.Done
                ? orders.create(replicasOf(row)).thenApplyAsync(nothing -> answer, executor)
                : done(answer),
            executor)
        .thenComposeAsync(
            answer -> answerOf(
                answer,
                v -> v.container(database.rid(), definition.id()).map(ContainerEntry::container)),
            executor);
  }

  public CompletableFuture<CatalogAnswer<Container>> replaceContainer(
      Container container, String definitionJson, Optional<String> ifMatch) {
    return onContainer(container, ifMatch, (view, entry) -> {
      ContainerRow old = entry.row();
      ContainerRow row = new ContainerRow(
          old.databaseId(),
          old.databaseRid(),
          old.id(),
          old.rid(),
          old.partitionKey(),
          definitionJson,
          old.throughput(),
          old.routingMap(),
          old.members(),
          old.lineage());
      return store
          .write(put(
              Operation.REPLACE,
              CatalogRows.containerRowId(old.databaseRid(), old.id()),
              CatalogRows.write(row),
              entry.container().etag()))
          .thenComposeAsync(
              answer -> answerOf(
                  answer,
                  v -> v.container(old.databaseRid(), old.id()).map(ContainerEntry::container)),
              executor);
    });
  }

  public CompletableFuture<CatalogAnswer<Container>> deleteContainer(
      Container container, Optional<String> ifMatch) {
    return onContainer(container, ifMatch, (view, entry) -> delete(entry));
  }

  /** The name is free as soon as the row is gone; what the replicas held goes afterwards. */
  private CompletableFuture<CatalogAnswer<Container>> delete(ContainerEntry entry) {
    ContainerRow row = entry.row();
    List<PhysicalPartitionId> partitions =
        row.routingMap().ranges().stream().map(PartitionKeyRange::partition).toList();
    Bytes retired = CatalogRows.write(new RetiredRow(row.rid(), partitions));
    return store
        .write(put(Operation.UPSERT, CatalogRows.retiredRowId(row.rid()), retired, null))
        .thenComposeAsync(
            answer -> answer instanceof ItemAnswer.Done
                ? store.write(put(
                    Operation.DELETE,
                    CatalogRows.containerRowId(row.databaseRid(), row.id()),
                    Bytes.EMPTY,
                    entry.container().etag()))
                : done(answer),
            executor)
        .thenComposeAsync(
            answer -> answer instanceof ItemAnswer.Done
                ? store
                    .load() // so that nobody on this node looks the container up any more
                    .thenComposeAsync(view -> retire(row.rid(), partitions), executor)
                    .thenApplyAsync(nothing -> answer, executor)
                : done(answer),
            executor)
        .thenComposeAsync(
            answer -> answerOf(answer, v -> Optional.of(entry.container())), executor);
  }

  private CompletableFuture<Void> retire(
      String containerRid, List<PhysicalPartitionId> partitions) {
    return orders
        .retire(partitions)
        .thenComposeAsync(
            nothing -> store.write(
                put(Operation.DELETE, CatalogRows.retiredRowId(containerRid), Bytes.EMPTY, null)),
            executor)
        .thenAcceptAsync(answer -> {}, executor); // a row that stays is retired again by reconcile
  }

  public CompletableFuture<CatalogAnswer<Database>> deleteDatabase(
      Database database, Optional<String> ifMatch) {
    return onView(view -> {
      Optional<Database> found = view.database(database.rid());
      if (found.isEmpty()) {
        return done(new CatalogAnswer.NotFound<>());
      }
      if (!matches(ifMatch, found.get().etag())) {
        return done(new CatalogAnswer.PreconditionFailed<>());
      }
      List<ContainerEntry> containers = view.containers(database.rid());
      if (!containers.isEmpty()) {
        return delete(containers.get(0))
            .thenComposeAsync(
                answer -> answer instanceof CatalogAnswer.Unavailable<Container> unavailable
                    ? done(new CatalogAnswer.Unavailable<Database>(unavailable.message()))
                    : deleteDatabase(database, ifMatch),
                executor);
      }
      return store
          .write(put(
              Operation.DELETE,
              CatalogRows.databaseRowId(database.id()),
              Bytes.EMPTY,
              found.get().etag()))
          .thenComposeAsync(answer -> answerOf(answer, v -> found), executor);
    });
  }

  /**
   * Compares what the rows say with what the hosts have, and orders what is missing: replicas of every
   * container, removal of every retired one, and a running primary for every physical partition.
   */
  public CompletableFuture<CatalogView> reconcile() {
    return store
        .load()
        .thenComposeAsync(
            view -> {
              List<NewReplica> replicas = new ArrayList<>();
              List<PhysicalPartitionId> live = new ArrayList<>();
              for (ContainerEntry entry : view.allContainers()) {
                replicas.addAll(replicasOf(entry.row()));
                entry.row().routingMap().ranges().forEach(range -> live.add(range.partition()));
              }
              CompletableFuture<Void> steps = orders.create(replicas);
              for (RetiredRow retired : view.retired()) {
                List<PhysicalPartitionId> dead =
                    retired.partitions().stream().filter(p -> !view.owns(p)).toList();
                steps = steps.thenComposeAsync(
                    nothing -> retire(retired.containerRid(), dead), executor);
              }
              return steps.thenApplyAsync(
                  nothing -> {
                    orders.wake(live);
                    return view;
                  },
                  executor);
            },
            executor);
  }

  private static int startPartitions(NewContainer definition) {
    int byThroughput = definition
        .throughput()
        .map(t -> (t.requestUnits() - 1) / REQUEST_UNITS_PER_PARTITION + 1)
        .orElse(1);
    int wanted = definition.physicalPartitions().orElse(byThroughput);
    return Math.max(1, Math.min(wanted, START_PARTITIONS_MAX));
  }

  private List<List<ReplicaId>> place(
      CatalogView view, List<PhysicalPartitionId> partitions, long incarnation) {
    Map<Uid, Integer> load = new HashMap<>();
    view.allContainers()
        .forEach(entry -> entry
            .row()
            .members()
            .forEach(set -> set.forEach(replica -> load.merge(replica.store(), 1, Integer::sum))));
    SortedSet<Uid> stores = orders.stores();
    List<List<ReplicaId>> placed = new ArrayList<>();
    for (PhysicalPartitionId partition : partitions) {
      List<ReplicaId> set = Placement.choose(stores, load).stream()
          .map(storeUid -> new ReplicaId(partition, storeUid, incarnation))
          .toList();
      set.forEach(replica -> load.merge(replica.store(), 1, Integer::sum));
      placed.add(set);
    }
    return placed;
  }

  private static List<NewReplica> replicasOf(ContainerRow row) {
    List<NewReplica> replicas = new ArrayList<>();
    List<PartitionKeyRange> ranges = row.routingMap().ranges();
    for (int i = 0; i < ranges.size(); i++) {
      PartitionKeyRange range = ranges.get(i);
      List<ReplicaId> voters = row.members().get(i);
      PartitionDescriptor descriptor = new PartitionDescriptor(
          range.partition(),
          row.lineage(),
          row.databaseRid(),
          row.rid(),
          range.id(),
          range.minInclusive(),
          range.maxExclusive());
      voters.forEach(voter -> replicas.add(new NewReplica(voter, descriptor, voters)));
    }
    return replicas;
  }

  /**
   * Takes ids from the counters' row. {@code use} gets the first of each kind, and the LSN of the entry that
   * handed them out. Somebody else's change in between means: load again and begin again.
   */
  private <T> CompletableFuture<CatalogAnswer<T>> allocate(
      CatalogView view,
      Counters amount,
      int attempt,
      BiFunction<Counters, Long, CompletableFuture<CatalogAnswer<T>>> use) {
    Counters first = view.counters();
    Counters next = new Counters(
        first.database() + amount.database(),
        first.container() + amount.container(),
        first.physicalPartition() + amount.physicalPartition(),
        first.lineage() + amount.lineage());
    @Nullable String etag = view.countersEtag();
    ItemWrite write = put(
        etag == null ? Operation.CREATE : Operation.REPLACE,
        CatalogRows.COUNTERS_ID,
        CatalogRows.write(next),
        etag);
    return store
        .write(write)
        .thenComposeAsync(
            answer -> {
              if (answer instanceof ItemAnswer.Done allocated) {
                return use.apply(first, allocated.served().lsn().value());
              }
              boolean lostTheRace = answer instanceof ItemAnswer.Conflict
                  || answer instanceof ItemAnswer.PreconditionFailed;
              if (lostTheRace && attempt < ATTEMPTS_MAX) {
                return store
                    .load()
                    .thenComposeAsync(now -> allocate(now, amount, attempt + 1, use), executor);
              }
              return answerOf(answer, v -> Optional.empty());
            },
            executor);
  }

  private <T> CompletableFuture<CatalogAnswer<T>> onView(
      Function<CatalogView, CompletableFuture<CatalogAnswer<T>>> change) {
    return store.load().thenComposeAsync(change, executor);
  }

  private CompletableFuture<CatalogAnswer<Container>> onContainer(
      Container container,
      Optional<String> ifMatch,
      BiFunction<CatalogView, ContainerEntry, CompletableFuture<CatalogAnswer<Container>>> change) {
    return onView(view -> {
      Optional<ContainerEntry> entry = view.container(container.databaseRid(), container.rid());
      if (entry.isEmpty()) {
        return done(new CatalogAnswer.NotFound<>());
      }
      if (!matches(ifMatch, entry.get().container().etag())) {
        return done(new CatalogAnswer.PreconditionFailed<>());
      }
      return change.apply(view, entry.get());
    });
  }

  private <T> CompletableFuture<CatalogAnswer<T>> answerOf(
      ItemAnswer answer, Function<CatalogView, Optional<T>> resource) {
    if (answer instanceof ItemAnswer.Done) {
      return store
          .load()
          .thenApplyAsync(
              view -> resource
                  .apply(view)
                  .<CatalogAnswer<T>>map(CatalogAnswer.Done::new)
                  .orElseGet(CatalogAnswer.NotFound::new),
              executor);
    }
    if (answer instanceof ItemAnswer.Conflict) {
      return done(new CatalogAnswer.Conflict<>());
    }
    if (answer instanceof ItemAnswer.NotFound) {
      return done(new CatalogAnswer.NotFound<>());
    }
    if (answer instanceof ItemAnswer.PreconditionFailed) {
      return done(new CatalogAnswer.PreconditionFailed<>());
    }
    if (answer instanceof ItemAnswer.Unavailable unavailable) {
      return done(new CatalogAnswer.Unavailable<>(unavailable.message()));
    }
    if (answer instanceof ItemAnswer.OutcomeUnknown unknown) {
      return done(new CatalogAnswer.Unavailable<>(unknown.message()));
    }
    return done(new CatalogAnswer.Unavailable<>("the catalog is busy; try again"));
  }

  private static boolean matches(Optional<String> ifMatch, String etag) {
    return ifMatch.isEmpty() || ifMatch.get().equals("*") || ifMatch.get().equals(etag);
  }

  private static ItemWrite put(
      Operation operation, String rowId, Bytes row, @Nullable String ifMatch) {
    return new ItemWrite(operation, key(), rowId, row, ifMatch);
  }

  /** The partition key that all rows share. */
  public static PartitionKey key() {
    return new PartitionKey(List.of(new PartitionKey.Component.Text(CatalogRows.PARTITION_KEY)));
  }

  private static String tooMany() {
    return "an account holds at most "
        + RESOURCES_MAX
        + " databases and containers together; delete one before you create the next";
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
