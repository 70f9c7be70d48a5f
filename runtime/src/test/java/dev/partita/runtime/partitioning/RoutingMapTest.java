package dev.partita.runtime.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import dev.partita.runtime.partitioning.PartitionKeyDefinition.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutingMapTest {
  private static final PartitionKeyDefinition V2 =
      EffectivePartitionKeyTest.definition(Kind.HASH, 2, 1);

  private static RoutingMap starting(PartitionKeyDefinition definition, int count) {
    return RoutingMap.starting(
        definition,
        LongStream.range(2, count + 2).mapToObj(PhysicalPartitionId::new).toList());
  }

  private static PartitionKeyRange range(int id, String min, String max) {
    return new PartitionKeyRange(id, min, max, new PhysicalPartitionId(id + 2), List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "HASH, 2, ''",
    "HASH, 2, 20000000000000000000000000000000",
    "HASH, 2, 15555555555555555555555555555555 2AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "MULTI_HASH, 2, 10000000000000000000000000000000 20000000000000000000000000000000"
        + " 30000000000000000000000000000000",
    "HASH, 1, 05C1E0",
    "HASH, 1, 05C1D5AB55AB54 05C1E5AB55AB54",
    "HASH, 1, 05C1D0 05C1E0 05C1E8",
  })
  void startingRangesHaveTheDocumentedBoundaries(Kind kind, int version, String boundaries) {
    List<String> inner = boundaries.isEmpty() ? List.of() : List.of(boundaries.split(" "));
    var map = starting(EffectivePartitionKeyTest.definition(kind, version, 1), inner.size() + 1);
    assertThat(map.ranges().stream().skip(1).map(PartitionKeyRange::minInclusive))
        .isEqualTo(inner);
    assertThat(map.ranges().stream().map(PartitionKeyRange::id))
        .isEqualTo(
            LongStream.rangeClosed(0, inner.size()).mapToObj(i -> (int) i).toList());
    assertThat(map.version()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"HASH, 1", "HASH, 2", "MULTI_HASH, 2"})
  void aKeyIsFoundInTheOnlyRangeThatContainsIt(Kind kind, int version) {
    var definition = EffectivePartitionKeyTest.definition(kind, version, 1);
    for (int count : new int[] {1, 2, 3, 7, 100}) {
      var map = starting(definition, count);
      int[] hits = new int[count];
      for (int i = 0; i < 2000; i++) {
        var key =
            EffectivePartitionKey.of(definition, PartitionKey.of(new Component.Text("key-" + i)));
        var found = map.rangeOf(key);
        assertThat(map.ranges().stream().filter(r -> r.contains(key.hex()))).containsExactly(found);
        assertThat(map.overlapping(key, key.prefixEnd())).containsExactly(found);
        hits[found.id()]++;
      }
      // Equal ranges of a hash are about equally full.
      assertThat(Arrays.stream(hits)).allMatch(n -> n > 2000 / count / 4 && n < 2000 / count * 4);
    }
  }

  @Test
  void theRangesOfAnIntervalAreThoseThatShareAPositionWithIt() {
    var random = new Random(99);
    var map = starting(V2, 16);
    for (int i = 0; i < 5000; i++) {
      var min = position(random);
      var max = position(random);
      var expected = map.ranges().stream()
          .filter(r -> min.hex().compareTo(max.hex()) < 0
              && r.minInclusive().compareTo(max.hex()) < 0
              && min.hex().compareTo(r.maxExclusive()) < 0)
          .toList();
      assertThat(map.overlapping(min, max)).as("%s to %s", min, max).isEqualTo(expected);
    }
    assertThat(map.overlapping(EffectivePartitionKey.MIN, EffectivePartitionKey.MAX))
        .isEqualTo(map.ranges());
  }

  /** Often exactly a boundary of the sixteen ranges, or the end of the keyspace, or past it. */
  private static EffectivePartitionKey position(Random random) {
    String text = switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "FF".repeat(1 + random.nextInt(2));
      case 2 -> "%02X".formatted(random.nextInt(64)) + "0".repeat(30);
      default -> "%02X".formatted(random.nextInt(256));
    };
    return EffectivePartitionKey.parse(text).orElseThrow();
  }

  @Test
  void rangesWithAGapAnOverlapOrAnOpenEndAreRefused() {
    assertThat(new RoutingMap(3, List.of(range(4, "", "10"), range(3, "10", "FF"))).byId(3))
        .contains(range(3, "10", "FF"));
    refuses(List.of());
    refuses(List.of(range(0, "", "10"), range(1, "11", "FF")));
    refuses(List.of(range(0, "", "11"), range(1, "10", "FF")));
    refuses(List.of(range(0, "01", "FF")));
    refuses(List.of(range(0, "", "FE")));
    refuses(List.of(range(0, "", "FF"), range(1, "FF", "FF00")));
    refuses(List.of(range(0, "", "10"), range(0, "10", "FF")));
    refuses(List.of(range(0, "", "1g"), range(1, "1g", "FF")));
    refuses(List.of(range(0, "", "1"), range(1, "1", "FF")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RoutingMap(0, List.of(range(0, "", "FF"))));
  }

  private static void refuses(List<PartitionKeyRange> ranges) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RoutingMap(1, ranges));
  }

  @Test
  void noRangeHoldsWhatLiesPastTheKeyspace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> starting(V2, 2).rangeOf(EffectivePartitionKey.MAX));
    assertThat(starting(V2, 2).byId(2)).isEmpty();
  }
}
