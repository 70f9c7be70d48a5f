package dev.partita.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import dev.partita.runtime.partitioning.PartitionKey.Component.Bool;
import dev.partita.runtime.partitioning.PartitionKey.Component.Null;
import dev.partita.runtime.partitioning.PartitionKey.Component.Num;
import dev.partita.runtime.partitioning.PartitionKey.Component.Text;
import dev.partita.runtime.partitioning.PartitionKey.Component.Undefined;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentScannerTest {
  private static final KeyPaths PK = KeyPaths.of(List.of("/pk"));
  private static final ObjectMapper TREE =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static ScannedDocument scan(String json, String... paths) {
    return DocumentScanner.scan(
        json.getBytes(StandardCharsets.UTF_8),
        paths.length == 0 ? PK : KeyPaths.of(List.of(paths)));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of("\"x\"", new Text("x")),
        Arguments.of("\"\\u00e9\\ud83d\\ude00\"", new Text("é😀")),
        Arguments.of("12", new Num(12)),
        Arguments.of("12.0", new Num(12)),
        Arguments.of("-0.0", new Num(-0.0)),
        Arguments.of("1e3", new Num(1000)),
        Arguments.of("12345678901234567890123", new Num(1.2345678901234568e22)),
        Arguments.of("null", new Null()),
        Arguments.of("true", new Bool(true)),
        Arguments.of("false", new Bool(false)),
        Arguments.of("{\"a\":1}", new Undefined()),
        Arguments.of("[1]", new Undefined()));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void findsKeysOfEveryType(String json, Component expected) {
    assertThat(scan("{\"id\":\"i\",\"pk\":" + json + "}").key())
        .isEqualTo(new PartitionKey(List.of(expected)));
  }

  @Test
  void findsNestedAndMissingKeys() {
    String json = "{\"id\":\"i\",\"a\":{\"x\":{\"b\":0},\"b\":\"B\",\"c d\":3},\"b\":9}";
    assertThat(scan(json, "/a/b", "/a/\"c d\"", "/a/none").key().components())
        .containsExactly(new Text("B"), new Num(3), new Undefined());
    assertThat(scan(json, "/a").key().components()).containsExactly(new Undefined());
    assertThat(scan("{\"id\":\"i\",\"a\":[{\"b\":1}]}", "/a/b").key().components())
        .containsExactly(new Undefined());
    assertThat(scan("{\"id\":\"i\"}", "/id").key().components()).containsExactly(new Text("i"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id':'i','a':1}|{'id':'i','a':1}",
        "{'id':'i','_rid':'x'}|{'id':'i'}",
        "{'_rid':'x','id':'i'}|{'id':'i'}",
        "{'_rid':'x','_ts':1,'id':'i'}|{'id':'i'}",
        "{ '_rid' : 'x' , 'id' : 'i' , '_ts' : 5 }|{ 'id' : 'i' }",
        "{'id':'i','_self':'s','_etag':'e','a':1,'_attachments':'x','_ts':12}|{'id':'i','a':1}",
        "{'id':'i','_lsn':7,'b':{'_rid':'kept'}}|{'id':'i','b':{'_rid':'kept'}}",
        "{'id':'i','_ridx':1,'_other':2}|{'id':'i','_ridx':1,'_other':2}",
        "{'id':'i','_rid':{'a':[1,2]},'_ts':[],'z':1.50}|{'id':'i','z':1.50}",
        "{'_ts':1,'id':'i','_ts':2,'x':0,'_ts':3,'_ts':4}|{'id':'i','x':0}"
      })
  void cutsSystemPropertiesAndKeepsAllElse(String in, String out) {
    assertThat(scan(in.replace('\'', '"')).body().utf8()).isEqualTo(out.replace('\'', '"'));
  }

  @Test
  void copiesNothingWhenNothingIsCut() {
    byte[] bytes = " \n{\"id\":\"i\",\"n\":1.500e1}\t".getBytes(StandardCharsets.UTF_8);
    ScannedDocument document = DocumentScanner.scan(bytes, PK);
    assertThat(document.body().array()).isSameAs(bytes);
    assertThat(document.body().utf8()).isEqualTo("{\"id\":\"i\",\"n\":1.500e1}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[]",
        "\"x\"",
        "null",
        "{\"id\":\"i\"",
        "{\"id\":\"i\",}",
        "{\"id\":\"i\"} x",
        "{\"id\":\"i\"}{}",
        "{\"id\":\"i\" \"a\":1}",
        "{\"id\":\"i\",\"a\":NaN}",
        "{\"id\":\"i\",\"a\":Infinity}",
        "{\"id\":\"i\",\"a\":-}",
        "{\"id\":\"i\",\"a\":01}",
        "{\"id\":\"i\",\"a\":1.}",
        "{\"id\":\"i\",\"a\":'x'}",
        "{id:\"i\"}",
        "{\"id\":\"i\",\"a\":\"\u0001\"}",
        "{\"id\":\"i\",\"a\":\"\\x\"}",
        "{\"id\":\"i\",\"a\":tru}",
        "{\"id\":\"i\"/**/}",
        "{\"pk\":1}",
        "{\"id\":1}",
        "{\"id\":null}",
        "{\"id\":\"\"}",
        "{\"id\":\"a/b\"}",
        "{\"id\":\"a\\\\b\"}",
        "{\"id\":\"a#b\"}",
        "{\"id\":\"a \"}",
        "{\"id\":\"\\ud800\"}",
        "{\"id\":\"i\",\"id\":\"i\"}",
        "{\"id\":\"i\",\"pk\":1,\"pk\":1}",
        "{\"id\":\"i\",\"pk\":1e999}"
      })
  void refusesWhatIsNoItem(String json) {
    assertThatThrownBy(() -> scan(json))
        .isInstanceOfSatisfying(
            Refusal.class, r -> assertThat(r.code()).isEqualTo(ErrorCode.BAD_REQUEST));
  }

  static Stream<byte[]> wrongBytes() {
    byte[] good = "{\"id\":\"i\",\"a\":\"XXXX\"}".getBytes(StandardCharsets.ISO_8859_1);
    int at = new String(good, StandardCharsets.ISO_8859_1).indexOf("XXXX");
    int[][] bad = {
      {0xC0, 0x80, 'a', 'a'}, // overlong NUL
      {0xC1, 0xBF, 'a', 'a'},
      {0xE0, 0x80, 0x80, 'a'}, // overlong
      {0xED, 0xA0, 0x80, 'a'}, // a surrogate
      {0xF0, 0x80, 0x80, 0x80},
      {0xF4, 0x90, 0x80, 0x80}, // beyond U+10FFFF
      {0xF5, 0x80, 0x80, 0x80},
      {0x80, 'a', 'a', 'a'},
      {0xE2, 0x82, 'a', 'a'}, // cut off
      {0xFF, 'a', 'a', 'a'}
    };
    return Stream.concat(
        Stream.of(bad).map(bytes -> {
          byte[] copy = good.clone();
          for (int i = 0; i < bytes.length; i++) {
            copy[at + i] = (byte) bytes[i];
          }
          return copy;
        }),
        Stream.of(
            "{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_16LE),
            "{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_16BE),
            "{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_16),
            "\uFEFF{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_8),
            "\0{\"id\":\"i\"}".getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @MethodSource("wrongBytes")
  void refusesWhatIsNoUtf8(byte[] bytes) {
    assertThatThrownBy(() -> DocumentScanner.scan(bytes, PK)).isInstanceOf(Refusal.class);
  }

  @Test
  void boundsNesting() {
    String deepest = "[".repeat(127) + "]".repeat(127);
    assertThat(scan("{\"id\":\"i\",\"a\":" + deepest + "}").id()).isEqualTo("i");
    assertThat(
            scan("{\"id\":\"i\",\"pk\":{\"k\":" + "[".repeat(126) + "]".repeat(126) + "}}", "/pk/k")
                .id())
        .isEqualTo("i");
    for (String json : List.of(
        "{\"id\":\"i\",\"a\":[" + deepest + "]}",
        "{\"id\":\"i\",\"pk\":{\"k\":" + deepest + "}}",
        "{\"id\":\"i\",\"a\":" + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_001))) {
      assertThatThrownBy(() -> scan(json, "/pk/k")).hasMessageContaining("128");
    }
  }

  /** Random documents: what the scanner finds and keeps is what a tree of the same bytes says. */
  @Test
  void agreesWithATree() throws IOException {
    var random = new Random(20261130);
    for (int i = 0; i < 3_000; i++) {
      ObjectNode tree = TREE.createObjectNode();
      fill(tree, random, 0);
      tree.put("id", "id" + i);
      if (random.nextBoolean()) {
        tree.set("pk", value(random, 3));
      }
      for (String name : List.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn")) {
        if (random.nextInt(3) == 0) {
          tree.set(name, value(random, 2));
        }
      }
      ObjectNode shuffled = shuffled(tree, random);
      String text = random.nextBoolean() ? shuffled.toString() : shuffled.toPrettyString();
      ScannedDocument found = scan(text, "/pk", "/p/k");
      ObjectNode expected = (ObjectNode) TREE.readTree(text);
      assertThat(found.id()).isEqualTo(expected.get("id").textValue());
      assertThat(found.key().components())
          .as(text)
          .containsExactly(
              component(expected.path("pk")), component(expected.path("p").path("k")));
      expected.remove(List.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn"));
      assertThat(TREE.readTree(found.body().utf8())).as(text).isEqualTo(expected);
    }
  }

  /** One byte of a document changed: the scanner takes it exactly when a strict tree parser does. */
  @Test
  void agreesWithATreeParserOnBrokenText() {
    var random = new Random(7);
    byte[] good = "{\"id\":\"i\",\"pk\":[1,-2.5e+3,true,null,{\"a\":\"b\\n\"}],\"_ts\":0}"
        .getBytes(StandardCharsets.UTF_8);
    byte[] alphabet = "{}[]:,\"\\ 019-+.eEtfn\n\u0001".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] broken = good.clone();
      broken[random.nextInt(broken.length)] = alphabet[random.nextInt(alphabet.length)];
      boolean valid = isItem(broken);
      boolean taken = true;
      try {
        DocumentScanner.scan(broken, PK);
      } catch (Refusal refusal) {
        taken = false;
      }
      assertThat(taken).as(new String(broken, StandardCharsets.UTF_8)).isEqualTo(valid);
    }
  }

  private static boolean isItem(byte[] bytes) {
    try (var parser = new ObjectMapper().createParser(bytes)) {
      JsonNode tree = parser.readValueAsTree();
      String id = tree == null || tree.isMissingNode() ? null : tree.path("id").textValue();
      return parser.nextToken() == null
          && tree instanceof ObjectNode
          && id != null
          && !id.isEmpty()
          && !id.endsWith(" ")
          && id.indexOf('\\') < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Component component(JsonNode node) {
    return node.isTextual()
        ? new Text(node.textValue())
        : node.isNumber()
            ? new Num(node.doubleValue())
            : node.isBoolean()
                ? new Bool(node.booleanValue())
                : node.isNull() ? new Null() : new Undefined();
  }

  private static void fill(ObjectNode object, Random random, int depth) {
    int members = random.nextInt(5);
    for (int i = 0; i < members; i++) {
      object.set(
          List.of("p", "k", "a", "_x", "long name \u20ac", "\"q\\").get(random.nextInt(6)),
          value(random, depth));
    }
  }

  private static JsonNode value(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 7)) {
      case 0 -> TREE.getNodeFactory().numberNode(random.nextInt());
      case 1 ->
        TREE.getNodeFactory()
            .numberNode(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
      case 2 ->
        TREE.getNodeFactory()
            .textNode(random.nextInt(3) == 0 ? "😀é\"\\\n" : "t" + random.nextInt());
      case 3 -> TREE.getNodeFactory().booleanNode(random.nextBoolean());
      case 4 -> TREE.getNodeFactory().nullNode();
      case 5 -> {
        ObjectNode object = TREE.createObjectNode();
        fill(object, random, depth + 1);
        yield object;
      }
      default -> {
        ArrayNode array = TREE.createArrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(random, depth + 1));
        }
        yield array;
      }
    };
  }

  private static ObjectNode shuffled(ObjectNode object, Random random) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    Collections.shuffle(names, random);
    ObjectNode shuffled = TREE.createObjectNode();
    names.forEach(name -> shuffled.set(name, object.get(name)));
    return shuffled;
  }
}
