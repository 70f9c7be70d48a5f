package dev.partita.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.runtime.api.PageRead.Position;
import dev.partita.runtime.model.Bytes;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContinuationTokenTest {
  private static final String RID = "EE4UAYAAAAE=";

  private static ContinuationToken after(int keyBytes, int idBytes) {
    var key = new byte[keyBytes];
    new Random(1).nextBytes(key);
    return new ContinuationToken.After(
        new Position("3F".repeat(16), Bytes.wrap(key), "i".repeat(idBytes)));
  }

  @Test
  void comesBackAsItWent() {
    for (ContinuationToken token : new ContinuationToken[] {
      after(10, 3),
      after(0, 0),
      new ContinuationToken.After(new Position("05C1D5AB", Bytes.utf8("k"), "é😀 %")),
      new ContinuationToken.From(""),
      new ContinuationToken.From("05C1E0"),
      new ContinuationToken.AfterName("db é")
    }) {
      assertThat(ContinuationToken.decode(token.encode(RID), RID)).isEqualTo(token);
    }
  }

  @Test
  void staysUnderAKibibyteForOrdinaryItemsAndBoundedForAll() {
    assertThat(after(400, 300).encode(RID)).hasSizeLessThan(1_024);
    assertThat(after(2_100, 1_023).encode(RID)).hasSizeLessThan(4_400);
  }

  @Test
  void isBoundToItsOwner() {
    String text = after(10, 3).encode(RID);
    assertThatThrownBy(() -> ContinuationToken.decode(text, "other")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> ContinuationToken.decodeName(text, RID)).isInstanceOf(Refusal.class);
    String name = new ContinuationToken.AfterName("d").encode(RID);
    assertThatThrownBy(() -> ContinuationToken.decodeItems(name, RID)).isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "AAAA", "!!", "{\"token\":1}", "AAAAAAAAAAAAAAAAAAAAAAAA"})
  void refusesOthers(String text) {
    assertThatThrownBy(() -> ContinuationToken.decode(text, RID)).isInstanceOf(Refusal.class);
  }

  @Test
  void refusesEveryTokenWithOneCharacterChanged() {
    String text = after(8, 4).encode(RID);
    for (int i = 0; i < text.length(); i++) {
      String broken =
          text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
      assertThatThrownBy(() -> ContinuationToken.decode(broken, RID)).isInstanceOf(Refusal.class);
    }
  }
}
