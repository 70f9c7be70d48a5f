package dev.partita.http;

import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.api.NewContainer;
import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import dev.partita.runtime.partitioning.RoutingMap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Databases and containers in memory. */
public final class FakeCatalog implements Catalog {
  private final FakeItems items;
  private final TreeMap<String, Database> databases = new TreeMap<>();
  private final TreeMap<String, Container> containers = new TreeMap<>();
  private long changes = 0;

  FakeCatalog(FakeItems items) {
    this.items = items;
  }

  synchronized List<Container> all() {
    return List.copyOf(containers.values());
  }

  /** Replaces the range by two halves, as a split does; the bytes of {@code at} lie within it. */
  public synchronized void split(String databaseId, String containerId, int rangeId, String at) {
    Container old = containers.get(databaseId + "/" + containerId);
    var ranges = new ArrayList<PartitionKeyRange>();
    int next =
        old.routingMap().ranges().stream().mapToInt(PartitionKeyRange::id).max().orElseThrow() + 1;
    for (PartitionKeyRange range : old.routingMap().ranges()) {
      if (range.id() == rangeId) {
        var parents = new ArrayList<>(range.parents());
        parents.add(rangeId);
        ranges.add(new PartitionKeyRange(
            next, range.minInclusive(), at, new PhysicalPartitionId(100 + next), parents));
        ranges.add(new PartitionKeyRange(
            next + 1, at, range.maxExclusive(), new PhysicalPartitionId(101 + next), parents));
      } else {
        ranges.add(range);
      }
    }
    var map = new RoutingMap(old.routingMap().version() + 1, ranges);
    containers.put(
        databaseId + "/" + containerId, with(old, old.definitionJson(), map, old.etag()));
  }

  @Override
  public synchronized CompletableFuture<List<Database>> databases() {
    return done(List.copyOf(databases.values()));
  }

  @Override
  public synchronized CompletableFuture<Optional<Database>> database(String nameOrRid) {
    return done(databases.values().stream()
        .filter(d -> d.id().equals(nameOrRid) || d.rid().equals(nameOrRid))
        .findFirst());
  }

  @Override
  public synchronized CompletableFuture<List<Container>> containers(Database database) {
    return done(containers.values().stream()
        .filter(c -> c.databaseRid().equals(database.rid()))
        .toList());
  }

  @Override
  public synchronized CompletableFuture<Optional<Container>> container(
      String databaseNameOrRid, String nameOrRid) {
    return done(containers.values().stream()
        .filter(c ->
            c.databaseId().equals(databaseNameOrRid) || c.databaseRid().equals(databaseNameOrRid))
        .filter(c -> c.id().equals(nameOrRid) || c.rid().equals(nameOrRid))
        .findFirst());
  }

  @Override
  public synchronized CompletableFuture<CatalogAnswer<Database>> createDatabase(
      String id, Optional<Throughput> throughput) {
    if (databases.containsKey(id)) {
      return done(new CatalogAnswer.Conflict<>());
    }
    changes++;
    String rid =
        base64(ByteBuffer.allocate(4).putInt((int) (0x10000000 + changes)).array());
    var database = new Database(id, rid, etag(), 1_796_052_950, throughput);
    databases.put(id, database);
    return done(new CatalogAnswer.Done<>(database));
  }

  @Override
  public synchronized CompletableFuture<CatalogAnswer<Database>> deleteDatabase(
      Database database, Optional<String> ifMatch) {
    if (!databases.containsKey(database.id())) {
      return done(new CatalogAnswer.NotFound<>());
    }
    if (fails(ifMatch, database.etag())) {
      return done(new CatalogAnswer.PreconditionFailed<>());
    }
    databases.remove(database.id());
    containers.values().removeIf(c -> c.databaseRid().equals(database.rid()));
    return done(new CatalogAnswer.Done<>(database));
  }

  @Override
  public synchronized CompletableFuture<CatalogAnswer<Container>> createContainer(
      Database database, NewContainer definition) {
    String name = database.id() + "/" + definition.id();
    if (containers.containsKey(name)) {
      return done(new CatalogAnswer.Conflict<>());
    }
    changes++;
    byte[] owner = Base64.getDecoder().decode(database.rid());
    String rid = base64(
        ByteBuffer.allocate(8).put(owner).putInt((int) (0x80000000L + changes)).array());
    List<PhysicalPartitionId> partitions = LongStream.range(
            0, definition.physicalPartitions().orElse(1))
        .mapToObj(i -> new PhysicalPartitionId(2 + i))
        .toList();
    var container = new Container(
        database.id(),
        database.rid(),
        definition.id(),
        rid,
        etag(),
        1_796_052_955,
        definition.partitionKey(),
        definition.definitionJson(),
        definition.throughput(),
        RoutingMap.starting(definition.partitionKey(), partitions),
        changes);
    containers.put(name, container);
    return done(new CatalogAnswer.Done<>(container));
  }

  @Override
  public synchronized CompletableFuture<CatalogAnswer<Container>> replaceContainer(
      Container container, String definitionJson, Optional<String> ifMatch) {
    if (fails(ifMatch, container.etag())) {
      return done(new CatalogAnswer.PreconditionFailed<>());
    }
    changes++;
    Container fresh = with(container, definitionJson, container.routingMap(), etag());
    containers.put(container.databaseId() + "/" + container.id(), fresh);
    return done(new CatalogAnswer.Done<>(fresh));
  }

  @Override
  public synchronized CompletableFuture<CatalogAnswer<Container>> deleteContainer(
      Container container, Optional<String> ifMatch) {
    if (fails(ifMatch, container.etag())) {
      return done(new CatalogAnswer.PreconditionFailed<>());
    }
    containers.remove(container.databaseId() + "/" + container.id());
    items.forget(container.rid());
    return done(new CatalogAnswer.Done<>(container));
  }

  private static Container with(Container c, String json, RoutingMap map, String etag) {
    return new Container(
        c.databaseId(),
        c.databaseRid(),
        c.id(),
        c.rid(),
        etag,
        c.timestampSeconds() + 1,
        c.partitionKey(),
        json,
        c.throughput(),
        map,
        c.lineage());
  }

  private static boolean fails(Optional<String> ifMatch, String etag) {
    return ifMatch.isPresent() && !ifMatch.get().equals("*") && !ifMatch.get().equals(etag);
  }

  private String etag() {
    return "\"catalog-" + changes + "\"";
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
