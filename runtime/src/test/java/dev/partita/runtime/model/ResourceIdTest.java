package dev.partita.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.partita.runtime.model.ResourceId.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceIdTest {
  private static final String CONTAINER = "ELc9AYAAAAE=";

  private static ResourceId parsed(String text) {
    return ResourceId.parse(text).orElseThrow();
  }

  /** Texts that clients were seen to accept. */
  @Test
  void recordedRidsAreReadAndMade() {
    assertThat(parsed("ELc9AQ==").kind()).isEqualTo(Kind.DATABASE);
    assertThat(parsed("ELc9AQ==").container()).isEmpty();
    assertThat(parsed(CONTAINER).kind()).isEqualTo(Kind.CONTAINER);
    assertThat(parsed(CONTAINER).database()).isEqualTo("ELc9AQ==");
    assertThat(ResourceId.container("ELc9AQ==", 1)).isEqualTo(CONTAINER);

    var item = parsed("ELc9AYAAAAETAAAAAAAAAA==");
    assertThat(item.kind()).isEqualTo(Kind.ITEM);
    assertThat(item.container()).contains(CONTAINER);
    assertThat(item.number()).isEqualTo(0x13);
    assertThat(ResourceId.item(CONTAINER, 0x13)).isEqualTo("ELc9AYAAAAETAAAAAAAAAA==");

    assertThat(parsed("ELc9AYAAAAEBAAAAAAAAUA==").kind()).isEqualTo(Kind.PARTITION_KEY_RANGE);
    assertThat(ResourceId.partitionKeyRange(CONTAINER, 0)).isEqualTo("ELc9AYAAAAEBAAAAAAAAUA==");
  }

  @Test
  void aNumberIsBigEndianInOwnersAndLittleEndianInChildren() {
    assertThat(hex(ResourceId.database(0x01020304))).isEqualTo("01020304");
    assertThat(hex(ResourceId.container(ResourceId.database(1), 0x7fffffff)))
        .isEqualTo("00000001ffffffff");
    long number = ResourceId.itemNumber(0x0102, 0x0a0b0c0d0eL);
    assertThat(hex(ResourceId.item(ResourceId.container(ResourceId.database(1), 1), number)))
        .isEqualTo("0000000180000001" + "0e0d0c0b0a" + "0201" + "00");
  }

  private static String hex(String rid) {
    var text = new StringBuilder();
    for (byte b : Base64.getDecoder().decode(rid.replace('-', '/'))) {
      text.append("%02x".formatted(b));
    }
    return text.toString();
  }

  @Test
  void anItemsTextIsTheSameInPlaceAndAsAString() {
    var random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      String container = ResourceId.container(
          ResourceId.database(1L + random.nextInt(Integer.MAX_VALUE)),
          1L + random.nextInt(Integer.MAX_VALUE));
      long number = ResourceId.itemNumber(
          random.nextInt(1 << 16), random.nextLong() & (ResourceId.ITEM_COUNTER_LIMIT - 1));
      byte[] out = new byte[ResourceId.ITEM_TEXT_LENGTH + 2];
      ResourceId.writeItemText(ResourceId.containerBytes(container), number, out, 1);
      String text = new String(out, 1, ResourceId.ITEM_TEXT_LENGTH, StandardCharsets.US_ASCII);
      assertThat(text).isEqualTo(ResourceId.item(container, number)).doesNotContain("/");
      assertThat(out[0] | out[out.length - 1]).isZero();
      assertThat(parsed(text).number()).isEqualTo(number);
      assertThat(parsed(text).container()).contains(container);
      assertThat(parsed(text).toString()).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "orders",
        "AAAAAA==",
        "ELc9AR==",
        "ELc9AQ",
        "ELc9AQ=",
        "ELc9AQE=",
        "ELc9AQEAAAA=",
        "ELc9AYAAAAEBAAAAAAAAQA==",
        "ELc9AYAAAAEBAAAAAAAA",
        "ELc9AQEAAAABAAAAAAAAAA==",
        "EL/9AQ=="
      })
  void otherTextsAreNoRid(String text) {
    assertThat(ResourceId.parse(text)).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "ELc9AQ==, true", "abcdef==, true", "ab+-/f==, true", "AAAAAA==, true", "abcdefg=, false",
    "abcdefgh, false", "abcde==, false", "orders, false", "abcdef_=, false", "abc ef==, false",
    "abcdef=, false", "abcde===, false", "äbcdef==, false"
  })
  void aNameMayLookLikeTheRidOfADatabase(String name, boolean looks) {
    assertThat(ResourceId.looksLikeDatabase(name)).isEqualTo(looks);
  }

  @Test
  void numbersHaveBounds() {
    assertThatIllegalArgumentException().isThrownBy(() -> ResourceId.database(0));
    assertThatIllegalArgumentException().isThrownBy(() -> ResourceId.database(1L << 31));
    assertThatIllegalArgumentException().isThrownBy(() -> ResourceId.container(CONTAINER, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> ResourceId.itemNumber(1 << 16, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceId.itemNumber(0, ResourceId.ITEM_COUNTER_LIMIT));
  }
}
