package dev.partita.runtime.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.catalog.CatalogRows.ContainerRow;
import dev.partita.runtime.catalog.CatalogRows.Counters;
import dev.partita.runtime.catalog.CatalogRows.DatabaseRow;
import dev.partita.runtime.catalog.CatalogRows.RetiredRow;
import dev.partita.runtime.item.ItemDocument;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.RoutingMap;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rows are read as they were written, and the picture finds them by name and by RID. */
class CatalogViewTest {
  private static final ItemDocument DOCUMENTS = new ItemDocument(
      PartitionDescriptor.SYSTEM.databaseRid(), PartitionDescriptor.SYSTEM.containerRid());
  private static final PhysicalPartitionId PARTITION = new PhysicalPartitionId(2);
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(PartitionKeyDefinition.Kind.HASH, 2, List.of("/pk"));
  private static final ContainerRow CONTAINER = new ContainerRow(
      "shop",
      "AQAAAA==",
      "ord\"ers",
      "AQAAAIAAAAE=",
      KEY,
      "{\"id\":\"ord\\\"ers\"}",
      Optional.of(new Throughput(4_000, true)),
      RoutingMap.starting(KEY, List.of(PARTITION)),
      List.of(List.of(new ReplicaId(PARTITION, new Uid(1, 2), 9))),
      1);

  private static Bytes stored(Bytes row, long number) {
    return DOCUMENTS.render(row, number, "\"e" + number + "\"", 100 + number);
  }

  private static final CatalogView VIEW = CatalogView.of(
      new Lsn(17),
      List.of(
          stored(CatalogRows.write(new Counters(2, 3, 4, 5)), 1),
          stored(CatalogRows.write(new DatabaseRow("shop", "AQAAAA==", Optional.empty())), 2),
          stored(CatalogRows.write(CONTAINER), 3),
          stored(
              CatalogRows.write(
                  new RetiredRow("AQAAAIAAAAI=", List.of(new PhysicalPartitionId(8)))),
              4),
          stored(Bytes.utf8("{\"id\":\"of a later version\",\"pk\":\"catalog\"}"), 5)));

  @Test
  void rowsAreReadAsTheyWereWritten() {
    assertThat(CatalogRows.container(CatalogRows.parse(CatalogRows.write(CONTAINER))))
        .isEqualTo(CONTAINER);
    assertThat(VIEW.counters()).isEqualTo(new Counters(2, 3, 4, 5));
    assertThat(VIEW.countersEtag()).isEqualTo("\"e1\"");
    assertThat(VIEW.retired()).extracting(RetiredRow::containerRid).containsExactly("AQAAAIAAAAI=");
  }

  @Test
  void namesAndRidsFindTheSame() {
    var byName = VIEW.container("AQAAAA==", "ord\"ers").orElseThrow();
    var byRid = VIEW.container("AQAAAA==", "AQAAAIAAAAE=").orElseThrow();
    assertThat(byName).isSameAs(byRid);
    assertThat(byName.container().etag()).isEqualTo("\"e3\"");
    assertThat(byName.container().timestampSeconds()).isEqualTo(103);
    assertThat(VIEW.database("AQAAAA==")).isEqualTo(VIEW.database("shop")).isPresent();
    assertThat(VIEW.container("AgAAAA==", "AQAAAIAAAAE=")).isEmpty();
  }

  @Test
  void whatBelongsToNobodyIsNotOwned() {
    assertThat(VIEW.owns(PARTITION)).isTrue();
    assertThat(VIEW.owns(new PhysicalPartitionId(8))).isFalse();
    assertThat(VIEW.has("AQAAAIAAAAE=")).isTrue();
    assertThat(VIEW.has("AQAAAIAAAAI=")).isFalse();
    assertThat(VIEW.resources()).isEqualTo(2);
  }
}
