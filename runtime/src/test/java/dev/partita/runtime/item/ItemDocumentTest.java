package dev.partita.runtime.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ResourceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemDocumentTest {
  private static final ItemDocument DOCUMENTS = new ItemDocument("ELc9AQ==", "ELc9AYAAAAE=");
  private static final String ETAG = "\"8fa2fe92-0000-0100-0000-569721d3db47\"";
  private static final String SYSTEM = "\"_rid\":\"ELc9AYAAAAEBAAAAAAAAAA==\","
      + "\"_self\":\"dbs/ELc9AQ==/colls/ELc9AYAAAAE=/docs/ELc9AYAAAAEBAAAAAAAAAA==/\","
      + "\"_etag\":\"\\\"8fa2fe92-0000-0100-0000-569721d3db47\\\"\","
      + "\"_attachments\":\"attachments/\",\"_ts\":1796052955}";

  private static String rendered(String body) {
    // A slice in the middle of an array, as a body from the wire may be.
    byte[] around = ("}}" + body + "{{").getBytes(StandardCharsets.UTF_8);
    Bytes slice = Bytes.wrap(around, 2, around.length - 4);
    return DOCUMENTS.render(slice, 1, ETAG, 1796052955).utf8();
  }

  /** The recorded answer of a create. */
  @Test
  void systemPropertiesAreTheLastMembers() {
    assertThat(rendered("{\"id\":\"a1\",\"pk\":\"p1\",\"nested\":{\"arr\":[1,2,3]}}"))
        .isEqualTo("{\"id\":\"a1\",\"pk\":\"p1\",\"nested\":{\"arr\":[1,2,3]}," + SYSTEM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{ }", "{\n\t\r }"})
  void anEmptyObjectGetsNoComma(String body) {
    assertThat(rendered(body)).isEqualTo("{" + SYSTEM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":{}}", "{\"a\":\"{\"}", "{\"a\": 1 \n}", "{\"é😀\":\"}\"}", "{\"a\":[{}]}"})
  void theUsersMembersStay(String body) throws IOException {
    var json = new ObjectMapper();
    var rendered = (ObjectNode) json.readTree(rendered(body));
    assertThat(rendered.remove("_etag").asText()).isEqualTo(ETAG);
    rendered.remove("_rid");
    rendered.remove("_self");
    rendered.remove("_attachments");
    assertThat(rendered.remove("_ts").asLong()).isEqualTo(1796052955);
    assertThat(rendered).isEqualTo(json.readTree(body));
  }

  @Test
  void theNumberMakesTheRidAndTheTimeIsDecimal() {
    long number = ResourceId.itemNumber(3, 1234567);
    String document = DOCUMENTS.render(Bytes.utf8("{}"), number, "\"e\"", 0).utf8();
    String rid = ResourceId.item("ELc9AYAAAAE=", number);
    assertThat(document)
        .startsWith("{\"_rid\":\"" + rid + "\"")
        .contains("/docs/" + rid + "/\",\"_etag\":\"\\\"e\\\"\",")
        .endsWith("\"_ts\":0}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "}", "[]", "null", " {}", "{} "})
  void anythingButAnObjectIsABug(String body) {
    assertThatIllegalArgumentException().isThrownBy(() -> rendered(body));
  }
}
