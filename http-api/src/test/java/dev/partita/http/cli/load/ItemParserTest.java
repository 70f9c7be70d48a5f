package dev.partita.http.cli.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.cli.load.ItemParser.Bad;
import dev.partita.http.cli.load.ItemParser.Blank;
import dev.partita.http.cli.load.ItemParser.Item;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ItemParserTest {
  private final ItemParser parser = new ItemParser(List.of("/pk"));

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
          {"id":"1","pk":"a"}                | ["a"]
          {"id":"1","pk":"ü\\"\\n"}          | ["\\u00fc\\"\\n"]
          {"id":"1","pk":12}                 | [12]
          {"id":"1","pk":1.5e3}              | [1500.0]
          {"id":"1","pk":12345678901234567890} | [12345678901234567890]
          {"id":"1","pk":true}               | [true]
          {"id":"1","pk":null}               | [null]
          {"id":"1"}                         | [{}]
          {"id":"1","pk":{"x":1}}            | [{}]
          {"id":"1","pk":[1]}                | [{}]
          """)
  void partitionKeyOfAnItem(String line, String header) {
    assertThat(parser.parse(line(line)))
        .isInstanceOfSatisfying(
            Item.class, item -> assertThat(item.partitionKey()).isEqualTo(header));
  }

  @Test
  void nestedAndHierarchicalKeys() {
    var nested = new ItemParser(List.of("/a/b", "/c"));
    assertThat(nested.parse(line("{\"id\":\"1\",\"a\":{\"b\":\"x\"},\"c\":2}")))
        .isInstanceOfSatisfying(
            Item.class, item -> assertThat(item.partitionKey()).isEqualTo("[\"x\",2]"));
  }

  @Test
  void theBodyIsTheLineByteForByte() {
    var text = "  {\"id\" : \"1\",\t\"n\": 1.0e2 }";
    assertThat(parser.parse(line(text)))
        .isInstanceOfSatisfying(
            Item.class, item -> assertThat(item.body()).isEqualTo(text.getBytes(UTF_8)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
          {"id":"1"            | not JSON
          {"id":"1"} {}        | not JSON
          [{"id":"1"}]         | not a JSON object
          "text"               | not a JSON object
          {"pk":"a"}           | no "id"
          {"id":7}             | "id" is not a text
          {"id":""}            | "id" is not a text
          """)
  void badLinesSayWhatIsWrong(String line, String why) {
    assertThat(parser.parse(line(line)))
        .isInstanceOfSatisfying(Bad.class, bad -> assertThat(bad.why()).startsWith(why));
  }

  @Test
  void notUtf8IsBad() {
    var bytes = new byte[] {'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xFF, '"', '}'};
    assertThat(parser.parse(new LineReader.Line(3, bytes)))
        .isInstanceOfSatisfying(Bad.class, bad -> assertThat(bad.line()).isEqualTo(3));
  }

  @Test
  void whiteSpaceIsNoItemAndNoMistake() {
    assertThat(parser.parse(line(" \t\r"))).isEqualTo(new Blank(1));
  }

  private static LineReader.Line line(String text) {
    return new LineReader.Line(1, text.getBytes(UTF_8));
  }
}
