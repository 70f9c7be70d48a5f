package dev.partita.runtime.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import dev.partita.runtime.partitioning.PartitionKeyDefinition.Kind;
import java.io.IOException;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EffectivePartitionKeyTest {
  private static final PartitionKeyDefinition V1 = definition(Kind.HASH, 1, 1);
  private static final PartitionKeyDefinition V2 = definition(Kind.HASH, 2, 1);

  static PartitionKeyDefinition definition(Kind kind, int version, int paths) {
    return new PartitionKeyDefinition(kind, version, Collections.nCopies(paths, "/pk"));
  }

  /** Made by the public Java client's own code. */
  @Test
  void everyVectorIsReproduced() throws IOException {
    JsonNode rows = vectors();
    assertThat(rows).hasSize(377);
    for (JsonNode row : rows) {
      var definition = definition(
          row.get("kind").asText().equals("MultiHash") ? Kind.MULTI_HASH : Kind.HASH,
          row.get("version").asInt(),
          row.get("paths").asInt());
      PartitionKey key = parsed(row.get("value").toString(), definition);
      var epk = EffectivePartitionKey.of(definition, key);
      assertThat(epk.hex()).as("%s", row).isEqualTo(row.get("epk").asText());
      assertThat(EffectivePartitionKey.parse(epk.hex())).contains(epk);
      assertThat(EffectivePartitionKey.ofBytes(epk.bytes())).isEqualTo(epk);
      assertThat(PartitionKey.parseCanonical(key.canonicalBytes())).contains(key);
      if (row.has("prefix")) {
        assertThat(epk.hex()).as("%s", row).isEqualTo(row.get("min").asText());
        assertThat(epk.prefixEnd().hex()).as("%s", row).isEqualTo(row.get("max").asText());
      }
    }
  }

  private static PartitionKey parsed(String json, PartitionKeyDefinition definition) {
    PartitionKey.Parsed parsed = PartitionKey.parse(json, definition);
    return parsed instanceof PartitionKey.Parsed.Prefix prefix
        ? prefix.key()
        : ((PartitionKey.Parsed.Full) parsed).key();
  }

  private static JsonNode vectors() throws IOException {
    try (var in = EffectivePartitionKeyTest.class.getResourceAsStream("/vectors/epk.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  @Test
  void aLoneSurrogateHashesAsAQuestionMark() {
    for (var definition : new PartitionKeyDefinition[] {V1, V2}) {
      var lone =
          EffectivePartitionKey.of(definition, PartitionKey.of(new Component.Text("\uD83D")));
      var mark = EffectivePartitionKey.of(definition, PartitionKey.of(new Component.Text("?")));
      assertThat(lone).isEqualTo(mark);
    }
  }

  @Test
  void allKeysOfAPrefixLieBetweenItsEnds() {
    var levels = definition(Kind.MULTI_HASH, 2, 3);
    var random = new Random(20261130);
    for (int i = 0; i < 1000; i++) {
      var tenant = new Component.Text("t" + random.nextInt(50));
      var prefix = EffectivePartitionKey.of(levels, PartitionKey.of(tenant));
      var inside = EffectivePartitionKey.of(
          levels,
          PartitionKey.of(tenant, new Component.Num(random.nextInt()), new Component.Text("" + i)));
      assertThat(inside).isGreaterThan(prefix).isLessThan(prefix.prefixEnd());
    }
    assertThat(EffectivePartitionKey.of(levels, PartitionKey.of()))
        .isEqualTo(EffectivePartitionKey.MIN);
    assertThat(EffectivePartitionKey.MIN.prefixEnd()).isEqualTo(EffectivePartitionKey.MAX);
  }

  @Test
  void theOrderOfBytesIsTheOrderOfTheirText() {
    var random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      var a = random(random);
      var b = random(random);
      int expected = Integer.signum(a.hex().compareTo(b.hex()));
      assertThat(Integer.signum(a.compareTo(b))).isEqualTo(expected);
      assertThat(Integer.signum(a.compareToHex(b.hex()))).isEqualTo(expected);
    }
  }

  private static EffectivePartitionKey random(Random random) {
    var text = new StringBuilder();
    for (int bytes = random.nextInt(3); bytes > 0; bytes--) {
      text.append("%02X".formatted(random.nextInt(3) * 127));
    }
    return EffectivePartitionKey.parse(text.toString()).orElseThrow();
  }

  @Test
  void textThatIsNotHexadecimalIsNoPosition() {
    assertThat(EffectivePartitionKey.parse("")).contains(EffectivePartitionKey.MIN);
    assertThat(EffectivePartitionKey.parse("ff")).contains(EffectivePartitionKey.MAX);
    assertThat(EffectivePartitionKey.parse("F")).isEmpty();
    assertThat(EffectivePartitionKey.parse("0G")).isEmpty();
  }

  @Test
  void onlyAHierarchicalKeyHasAPrefix() {
    var twoPaths = definition(Kind.HASH, 2, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> EffectivePartitionKey.of(twoPaths, PartitionKey.of(new Component.Null())));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EffectivePartitionKey.of(
            V2, PartitionKey.of(new Component.Null(), new Component.Null())));
  }
}
