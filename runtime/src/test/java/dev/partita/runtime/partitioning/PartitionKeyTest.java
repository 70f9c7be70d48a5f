package dev.partita.runtime.partitioning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import dev.partita.runtime.partitioning.PartitionKey.Component.Bool;
import dev.partita.runtime.partitioning.PartitionKey.Component.Null;
import dev.partita.runtime.partitioning.PartitionKey.Component.Num;
import dev.partita.runtime.partitioning.PartitionKey.Component.Text;
import dev.partita.runtime.partitioning.PartitionKey.Component.Undefined;
import dev.partita.runtime.partitioning.PartitionKey.Parsed;
import dev.partita.runtime.partitioning.PartitionKeyDefinition.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionKeyTest {
  private static final PartitionKeyDefinition ONE =
      EffectivePartitionKeyTest.definition(Kind.HASH, 2, 1);
  private static final PartitionKeyDefinition THREE_LEVELS =
      EffectivePartitionKeyTest.definition(Kind.MULTI_HASH, 2, 3);

  @Test
  void everyKindOfValueIsRead() {
    reads("[\"a\"]", new Text("a"));
    reads(" [ \"a\" ] ", new Text("a"));
    reads("[\"\"]", new Text(""));
    reads("[12]", new Num(12));
    reads("[12.0]", new Num(12));
    reads("[-0.0]", new Num(-0.0));
    reads("[-12.5e-1]", new Num(-1.25));
    reads("[1E+2]", new Num(100));
    reads("[9007199254740993]", new Num(9007199254740992.0));
    reads("[null]", new Null());
    reads("[true]", new Bool(true));
    reads("[false]", new Bool(false));
    reads("[{}]", new Undefined());
    reads("[[]]", new Undefined());
    reads("[]", new Undefined());
    reads("[\"\\u00E9\\uD83D\\uDE00\\u00FC\\\"x\"]", new Text("é😀ü\"x"));
    reads("[\"\\u00e9\"]", new Text("é"));
    reads("[\"\\b\\f\\n\\r\\t\\/\\\\\"]", new Text("\b\f\n\r\t/\\"));
    reads("[\"\\uD83D\"]", new Text("\uD83D"));
    reads("[\"x\uDE00\"]", new Text("x\uDE00"));
  }

  private static void reads(String json, Component expected) {
    assertThat(PartitionKey.parse(json, ONE))
        .as(json)
        .isEqualTo(new Parsed.Full(PartitionKey.of(expected)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a",
        "\"a\"",
        "{}",
        "null",
        "12",
        "[",
        "[\"a\"",
        "[\"a]",
        "[\"a\"]]",
        "[\"a\"] x",
        "[,]",
        "[\"a\",]",
        "[\"a\" \"b\"]",
        "[{\"a\":1}]",
        "[{]",
        "[[1]]",
        "[nul]",
        "[True]",
        "[01]",
        "[+1]",
        "[.5]",
        "[1.]",
        "[-]",
        "[1e]",
        "[1e400]",
        "[-1e400]",
        "[NaN]",
        "[Infinity]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "[\"\\u12G4\"]",
        "[\"\\u\uFF11\uFF11\uFF11\uFF11\"]",
        "[\"\\",
        "[\"\\u",
        "[\"a\tb\"]",
        "['a']",
        "[\"a\",\"b\"]",
        "[\"a\";]",
        "[1 2]",
        "[0x10]"
      })
  void anythingElseIsAnsweredWithASentence(String json) {
    Parsed parsed = PartitionKey.parse(json, ONE);
    assertThat(parsed).isInstanceOf(Parsed.Malformed.class);
    assertThat(((Parsed.Malformed) parsed).reason())
        .startsWith("A partition key")
        .endsWith(".");
  }

  @Test
  void theSentenceSaysWhatAndWhere() {
    assertThat(PartitionKey.parse("[\"a\" 1]", ONE))
        .isEqualTo(new Parsed.Malformed(
            "A partition key's array lacks a comma or a closing bracket at character 6."));
    assertThat(PartitionKey.parse("[1,2]", ONE))
        .isEqualTo(new Parsed.Malformed("A partition key of this container has 1 value, not 2."));
  }

  @Test
  void fewerValuesThanLevelsAreAPrefix() {
    assertThat(PartitionKey.parse("[\"t\",null]", THREE_LEVELS))
        .isEqualTo(new Parsed.Prefix(PartitionKey.of(new Text("t"), new Null())));
    assertThat(PartitionKey.parse("[]", THREE_LEVELS))
        .isEqualTo(new Parsed.Prefix(PartitionKey.of()));
    assertThat(PartitionKey.parse("[\"t\",{},1]", THREE_LEVELS))
        .isEqualTo(new Parsed.Full(PartitionKey.of(new Text("t"), new Undefined(), new Num(1))));
    assertThat(PartitionKey.parse("[1,2,3,4]", THREE_LEVELS)).isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void canonicalBytesAreEqualExactlyWhenTheKeysAre() {
    var random = new Random(11);
    Map<Bytes, PartitionKey> seen = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      List<Component> components = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        components.add(component(random));
      }
      var key = new PartitionKey(components);
      var other = seen.putIfAbsent(key.canonicalBytes(), key);
      assertThat(other == null || other.equals(key)).isTrue();
      assertThat(PartitionKey.parseCanonical(key.canonicalBytes())).contains(key);
    }
    assertThat(seen.values()).doesNotHaveDuplicates();
  }

  private static Component component(Random random) {
    String[] texts = {"", "a", "?", "\uD83D", "\uDE00", "\uDE00\uD83D", "😀", "\u0000", "\uFFFD"};
    double[] numbers = {0.0, -0.0, 1, Double.MIN_VALUE, -Double.MAX_VALUE};
    return switch (random.nextInt(5)) {
      case 0 -> new Undefined();
      case 1 -> new Null();
      case 2 -> new Bool(random.nextBoolean());
      case 3 -> new Num(numbers[random.nextInt(numbers.length)]);
      default ->
        new Text(texts[random.nextInt(texts.length)] + texts[random.nextInt(texts.length)]);
    };
  }

  /** The layout is on disk: it never changes. */
  @Test
  void canonicalBytesHaveTheirLayout() {
    var key = PartitionKey.of(
        new Text("é"),
        new Num(-0.0),
        new Null(),
        new Bool(false),
        new Bool(true),
        new Undefined(),
        new Text("\uD83Dx"));
    assertThat(HexFormat.of().formatHex(key.canonicalBytes().toArray()))
        .isEqualTo("07" + "0800000002c3a9" + "058000000000000000" + "01" + "02" + "03" + "00"
            + "0900000004d83d0078");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "01",
        "0101" + "00",
        "0104",
        "0105",
        "0105000000",
        "010800000002c3",
        "01080000000180",
        "0108ffffffff",
        "01087fffffff00",
        "010900000002003f",
        "01090000000100",
        "ff",
        "80",
        "0001"
      })
  void otherBytesAreNoKey(String hex) {
    assertThat(PartitionKey.parseCanonical(Bytes.wrap(HexFormat.of().parseHex(hex))))
        .isEmpty();
  }

  @Test
  void aKeyHasAtMostTheBytesOfItsVersion() {
    var v1 = EffectivePartitionKeyTest.definition(Kind.HASH, 1, 1);
    assertThat(PartitionKey.of(new Text("x".repeat(101))).tooLong(v1)).isEmpty();
    assertThat(PartitionKey.of(new Text("x".repeat(102))).tooLong(v1))
        .contains("The partition key value is longer than 101 bytes.");
    assertThat(PartitionKey.of(new Text("é".repeat(51))).tooLong(v1)).isPresent();
    assertThat(PartitionKey.of(new Text("x".repeat(2048))).tooLong(ONE)).isEmpty();
    assertThat(PartitionKey.of(new Text("日".repeat(682))).tooLong(ONE)).isEmpty();
    assertThat(PartitionKey.of(new Text("日".repeat(683))).tooLong(ONE))
        .contains("The partition key value is longer than 2048 bytes.");
    assertThat(PartitionKey.of(new Text("x".repeat(2048)), new Num(1), new Text("y"))
            .tooLong(THREE_LEVELS))
        .isPresent();
  }
}
