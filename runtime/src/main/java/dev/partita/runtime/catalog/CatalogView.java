package dev.partita.runtime.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.catalog.CatalogRows.ContainerRow;
import dev.partita.runtime.catalog.CatalogRows.Counters;
import dev.partita.runtime.catalog.CatalogRows.DatabaseRow;
import dev.partita.runtime.catalog.CatalogRows.RetiredRow;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The whole catalog at one LSN of the system partition. Immutable, so that a request reads one consistent
 * picture without a lock. The catalog is small by the account's limit on databases and containers.
 */
public final class CatalogView {
  public static final CatalogView EMPTY = of(Lsn.ZERO, List.of());

  private final Lsn lsn;
  private final Counters counters;
  private final @Nullable String countersEtag;
  private final Map<String, Database> databases = new TreeMap<>();
  private final Map<String, Database> databasesByRid = new TreeMap<>();
  private final Map<String, Map<String, ContainerEntry>> containers = new TreeMap<>();
  private final Map<String, ContainerEntry> containersByRid = new TreeMap<>();
  private final Map<PhysicalPartitionId, ContainerEntry> owners = new TreeMap<>();
  private final List<RetiredRow> retired = new ArrayList<>();

  /** A container and its row. */
  public record ContainerEntry(Container container, ContainerRow row) {}

  private CatalogView(Lsn lsn, Collection<Bytes> documents) {
    this.lsn = lsn;
    Counters found = Counters.FIRST;
    String foundEtag = null;
    for (Bytes document : documents) {
      ObjectNode row = CatalogRows.parse(document);
      String id = row.get("id").textValue();
      String etag = row.get("_etag").textValue();
      long timestamp = row.get("_ts").longValue();
      if (id.equals(CatalogRows.COUNTERS_ID)) {
        found = CatalogRows.counters(row);
        foundEtag = etag;
      } else if (CatalogRows.isDatabase(id)) {
        add(CatalogRows.database(row), etag, timestamp);
      } else if (CatalogRows.isContainer(id)) {
        add(CatalogRows.container(row), etag, timestamp);
      } else if (CatalogRows.isRetired(id)) {
        retired.add(CatalogRows.retired(row));
      }
      // A row of a kind that this version does not know belongs to a later one and is left alone.
    }
    this.counters = found;
    this.countersEtag = foundEtag;
  }

  public static CatalogView of(Lsn lsn, Collection<Bytes> documents) {
    return new CatalogView(lsn, documents);
  }

  private void add(DatabaseRow row, String etag, long timestamp) {
    Database database = new Database(row.id(), row.rid(), etag, timestamp, row.throughput());
    databases.put(row.id(), database);
    databasesByRid.put(row.rid(), database);
  }

  private void add(ContainerRow row, String etag, long timestamp) {
    Container container = new Container(
        row.databaseId(),
        row.databaseRid(),
        row.id(),
        row.rid(),
        etag,
        timestamp,
        row.partitionKey(),
        row.definitionJson(),
        row.throughput(),
        row.routingMap(),
        row.lineage());
    ContainerEntry entry = new ContainerEntry(container, row);
    containers.computeIfAbsent(row.databaseRid(), rid -> new TreeMap<>()).put(row.id(), entry);
    containersByRid.put(row.rid(), entry);
    row.routingMap().ranges().forEach(range -> owners.put(range.partition(), entry));
  }

  /** Position of the system partition that this picture shows. */
  public Lsn lsn() {
    return lsn;
  }

  public Counters counters() {
    return counters;
  }

  /** Etag of the counters' row, or null before the first id was handed out. */
  public @Nullable String countersEtag() {
    return countersEtag;
  }

  public List<Database> databases() {
    return List.copyOf(databases.values());
  }

  /** A database by name, else by RID. */
  public Optional<Database> database(String nameOrRid) {
    Database byName = databases.get(nameOrRid);
    return Optional.ofNullable(byName != null ? byName : databasesByRid.get(nameOrRid));
  }

  public List<ContainerEntry> containers(String databaseRid) {
    return List.copyOf(
        containers.getOrDefault(databaseRid, Collections.emptyMap()).values());
  }

  /** A container of a database by name, else by RID. */
  public Optional<ContainerEntry> container(String databaseRid, String nameOrRid) {
    ContainerEntry byName =
        containers.getOrDefault(databaseRid, Collections.emptyMap()).get(nameOrRid);
    if (byName != null) {
      return Optional.of(byName);
    }
    ContainerEntry byRid = containersByRid.get(nameOrRid);
    return byRid != null && byRid.container().databaseRid().equals(databaseRid)
        ? Optional.of(byRid)
        : Optional.empty();
  }

  /** Every container of every database, by RID. */
  public Collection<ContainerEntry> allContainers() {
    return Collections.unmodifiableCollection(containersByRid.values());
  }

  /** Databases and containers together: what the account's limit counts. */
  public int resources() {
    return databases.size() + containersByRid.size();
  }

  /** Whether a container of that RID exists. */
  public boolean has(String containerRid) {
    return containersByRid.containsKey(containerRid);
  }

  /** Whether a physical partition still belongs to a container. */
  public boolean owns(PhysicalPartitionId partition) {
    return owners.containsKey(partition);
  }

  public List<RetiredRow> retired() {
    return Collections.unmodifiableList(retired);
  }
}
