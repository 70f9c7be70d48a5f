package dev.partita.persistence.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreKeysTest {
  private static final Comparator<Parts> BY_PARTS = Comparator.comparingLong(Parts::lineage)
      .thenComparingLong(Parts::slot)
      .thenComparing(Parts::epk, Arrays::compareUnsigned)
      .thenComparing(Parts::partitionKey, Arrays::compareUnsigned)
      .thenComparing(Parts::id, Arrays::compareUnsigned);

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keysSortAsTheirPartsDo(long seed) {
    var random = new Random(seed);
    int equal = 0;
    for (int i = 0; i < 40_000; i++) {
      Parts a = Parts.draw(random);
      Parts b = random.nextBoolean() ? Parts.draw(random) : a.near(random);
      int byParts = Integer.signum(BY_PARTS.compare(a, b));
      int byKeys = Integer.signum(Arrays.compareUnsigned(a.key(), b.key()));
      assertThat(byKeys).as("%s against %s", a, b).isEqualTo(byParts);
      equal += byParts == 0 ? 1 : 0;
    }
    assertThat(equal).as("equal pairs that were compared").isPositive();
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {11, 12, 13})
  void aKeyTakenApartGivesItsPartsBack(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Parts parts = Parts.draw(random);
      assertThat(Parts.of(StoreKey.of(parts.key()))).isEqualTo(parts);
      StoreKey logical =
          StoreKey.of(StoreKeys.logical(parts.lineage, parts.slot, parts.epk, parts.partitionKey));
      assertThat(Parts.of(logical))
          .isEqualTo(
              new Parts(parts.lineage, parts.slot, parts.epk, parts.partitionKey, new byte[0]));
      assertThat(logical.isInLogicalPartitionOf(StoreKey.of(parts.key()))).isTrue();
    }
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {21, 22, 23})
  void aRangeHoldsTheKeysOfItsEffectivePartitionKeysAndNoOthers(long seed) {
    var random = new Random(seed);
    int inside = 0;
    for (int i = 0; i < 40_000; i++) {
      byte[] min = Parts.bytes(random, 3);
      byte[] max = Parts.bytes(random, 3);
      Parts parts = Parts.draw(random);
      boolean expected =
          Arrays.compareUnsigned(min, parts.epk) <= 0 && Arrays.compareUnsigned(parts.epk, max) < 0;
      if (Arrays.compareUnsigned(min, max) >= 0 || max[0] == (byte) 0xFF) {
        continue;
      }
      KeyRange range = StoreKeys.range(parts.lineage, parts.slot, min, max);
      assertThat(range.contains(parts.key())).as("%s", parts).isEqualTo(expected);
      assertThat(range.contains(parts.logicalKey())).as("%s", parts).isEqualTo(expected);
      assertThat(range.contains(StoreKeys.inSlot(parts.key(), parts.slot + 1))).isFalse();
      inside += expected ? 1 : 0;
    }
    assertThat(inside).as("keys inside their range").isGreaterThan(1_000);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {31, 32, 33})
  void aLogicalPartitionHoldsItsItemsAndNoOthers(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 40_000; i++) {
      Parts a = Parts.draw(random);
      Parts b = a.near(random);
      boolean same = a.lineage == b.lineage
          && a.slot == b.slot
          && Arrays.equals(a.epk, b.epk)
          && Arrays.equals(a.partitionKey, b.partitionKey);
      KeyRange range = StoreKeys.logicalPartition(a.lineage, a.slot, a.epk, a.partitionKey);
      assertThat(range.contains(a.key())).isTrue();
      assertThat(range.contains(b.key())).as("%s in that of %s", b, a).isEqualTo(same);
    }
  }

  @Test
  void anEmptyMinimumAndAMaximumOfOnlyFfTakeTheWholeSlot() {
    KeyRange whole = StoreKeys.range(3, 5, new byte[0], new byte[] {(byte) 0xFF});
    byte[] highest = new byte[40];
    Arrays.fill(highest, (byte) 0xFF);
    assertThat(whole.contains(StoreKeys.item(3, 5, highest, highest, highest))).isTrue();
    assertThat(whole.contains(StoreKeys.logical(3, 5, new byte[0], new byte[0])))
        .isTrue();
    assertThat(whole.contains(StoreKeys.item(3, 6, new byte[0], new byte[0], new byte[0])))
        .isFalse();
    assertThat(whole.contains(StoreKeys.item(3, 4, highest, highest, highest))).isFalse();
    assertThat(StoreKeys.slot(3, 5).from()).isEqualTo(whole.from());
    assertThat(StoreKeys.slot(3, 5).toExclusive()).isEqualTo(whole.toExclusive());
    byte[] last = StoreKeys.item(Long.MAX_VALUE, Long.MAX_VALUE, highest, highest, highest);
    assertThat(StoreKeys.slot(Long.MAX_VALUE, Long.MAX_VALUE).contains(last)).isTrue();
  }

  @Test
  void nothingLiesBetweenAKeyAndTheOneAfterIt() {
    byte[] key = StoreKeys.item(1, 1, new byte[16], new byte[] {7}, new byte[] {'a'});
    byte[] after = StoreKeys.after(key);
    assertThat(Arrays.compareUnsigned(key, after)).isNegative();
    assertThat(after).hasSize(key.length + 1).startsWith(key).endsWith(0);
  }

  /** These bytes are on disk: format version 1. */
  @Test
  void theBytesOfAKeyDoNotChange() {
    byte[] key = StoreKeys.item(
        1, 0x0203, new byte[] {0x3F, 0, (byte) 0xFF}, new byte[] {8, 0}, new byte[] {'i', 0, 'd'});
    assertThat(HexFormat.of().formatHex(key))
        .isEqualTo(
            "0000000000000001" + "0000000000000203" + "3f00ffff0001" + "0800ff0001" + "690064");
  }

  @Test
  void bytesThatAreNoKeyAreRefused() {
    byte[] key = StoreKeys.logical(1, 1, new byte[] {1}, new byte[] {2});
    assertThatThrownBy(() -> StoreKey.of(new byte[3])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StoreKey.of(Arrays.copyOf(key, key.length - 1)))
        .isInstanceOf(IllegalArgumentException.class);
    key[key.length - 1] = 0x33;
    assertThatThrownBy(() -> StoreKey.of(key)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StoreKeys.slot(-1, 0)).hasMessageContaining("lineage");
    assertThatThrownBy(() -> StoreKeys.slot(0, -1)).hasMessageContaining("slot");
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Parts(long lineage, long slot, byte[] epk, byte[] partitionKey, byte[] id) {
    static Parts draw(Random random) {
      return new Parts(
          random.nextInt(3),
          random.nextInt(3),
          bytes(random, 4),
          bytes(random, 4),
          bytes(random, 4));
    }

    static Parts of(StoreKey key) {
      return new Parts(
          key.lineage(), key.slot(), key.effectivePartitionKey(), key.partitionKey(), key.id());
    }

    /** From the bytes that matter to the escape: 00, 01, 02, FE, FF, and one ordinary. */
    static byte[] bytes(Random random, int lengthMax) {
      byte[] alphabet = {0, 1, 2, 'a', (byte) 0xFE, (byte) 0xFF};
      byte[] bytes = new byte[1 + random.nextInt(lengthMax)];
      if (lengthMax > 3 && random.nextInt(8) == 0) {
        return new byte[0];
      }
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = alphabet[random.nextInt(alphabet.length)];
      }
      return bytes;
    }

    /** Differs in one part, or in none. */
    Parts near(Random random) {
      return switch (random.nextInt(5)) {
        case 0 -> new Parts(lineage, slot, bytes(random, 4), partitionKey, id);
        case 1 -> new Parts(lineage, slot, epk, bytes(random, 4), id);
        case 2 -> new Parts(lineage, slot, epk, partitionKey, bytes(random, 4));
        case 3 -> new Parts(lineage, slot + 1, epk, partitionKey, id);
        default -> this;
      };
    }

    byte[] key() {
      return StoreKeys.item(lineage, slot, epk, partitionKey, id);
    }

    byte[] logicalKey() {
      return StoreKeys.logical(lineage, slot, epk, partitionKey);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Parts parts && BY_PARTS.compare(this, parts) == 0;
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(key());
    }

    @Override
    public String toString() {
      HexFormat hex = HexFormat.of();
      return "%d/%d/%s/%s/%s"
          .formatted(
              lineage, slot, hex.formatHex(epk), hex.formatHex(partitionKey), hex.formatHex(id));
    }
  }
}
