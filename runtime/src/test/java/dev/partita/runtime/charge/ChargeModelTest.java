package dev.partita.runtime.charge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChargeModelTest {
  private static final ChargeModel MODEL = ChargeModel.DEFAULT;

  @ParameterizedTest
  @CsvSource({
    // bytes, read, quorum read, create, replace, delete, refused, page, quorum page
    "0,       1,     2,     5,      10,     7.5,    1,     2.5,     5",
    "1,       1,     2,     5,      10,     7.5,    1,     2.5,     5",
    "1024,    1,     2,     5,      10,     7.5,    1,     3.5,     7",
    "1536,    1.22,  2.45,  6.12,   12.25,  9.19,   1.22,  4,       8",
    "2048,    1.41,  2.83,  7.07,   14.14,  10.61,  1.41,  4.5,     9",
    "102400,  10,    20,    50,     100,    75,     10,    102.5,   205",
    "2097152, 45.25, 90.51, 226.27, 452.55, 339.41, 45.25, 2050.5,  4101",
  })
  void chargesByDefault(
      int bytes,
      double read,
      double quorumRead,
      double create,
      double replace,
      double delete,
      double refused,
      double page,
      double quorumPage) {
    assertThat(MODEL.pointRead(bytes, false)).isEqualTo(read);
    assertThat(MODEL.pointRead(bytes, true)).isEqualTo(quorumRead);
    assertThat(MODEL.create(bytes)).isEqualTo(create);
    assertThat(MODEL.replace(bytes, bytes)).isEqualTo(replace);
    assertThat(MODEL.delete(bytes)).isEqualTo(delete);
    assertThat(MODEL.refusedWrite(bytes)).isEqualTo(refused);
    assertThat(MODEL.page(bytes, false)).isEqualTo(page);
    assertThat(MODEL.page(bytes, true)).isEqualTo(quorumPage);
  }

  @Test
  void aReplaceCostsByTheLargerItem() {
    assertThat(MODEL.replace(102_400, 1)).isEqualTo(100);
    assertThat(MODEL.replace(1, 102_400)).isEqualTo(100);
  }

  /** U53: a read that finds nothing new costs something too. */
  @Test
  void u53NothingIsFree() {
    assertThat(MODEL.emptyRead(false)).isEqualTo(1);
    assertThat(MODEL.emptyRead(true)).isEqualTo(2);
  }

  @Test
  void aLargerItemNeverCostsLess() {
    var random = new Random(17);
    for (int i = 0; i < 10_000; i++) {
      int bytes = random.nextInt(2 << 20);
      int more = bytes + random.nextInt(4096);
      assertThat(MODEL.pointRead(more, false))
          .isGreaterThanOrEqualTo(MODEL.pointRead(bytes, false));
      assertThat(MODEL.create(more)).isGreaterThanOrEqualTo(MODEL.create(bytes));
      assertThat(MODEL.delete(more)).isGreaterThanOrEqualTo(MODEL.delete(bytes));
      assertThat(MODEL.page(more, false)).isGreaterThanOrEqualTo(MODEL.page(bytes, false));
    }
  }

  @Test
  void everySettingCounts() {
    var model = new ChargeModel(new ChargeSettings(2, 6, 3, 4, 10, 0.5, 1.5));
    assertThat(model.pointRead(1024, false)).isEqualTo(2);
    assertThat(model.pointRead(1024, true)).isEqualTo(3);
    assertThat(model.create(4096)).isEqualTo(12);
    assertThat(model.replace(0, 4096)).isEqualTo(36);
    assertThat(model.delete(4096)).isEqualTo(48);
    assertThat(model.page(2048, false)).isEqualTo(11);
    assertThat(model.page(2048, true)).isEqualTo(16.5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChargeSettings(0, 6, 3, 4, 10, 0.5, 1.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChargeSettings(1, 6, Double.NaN, 4, 10, 0.5, 1.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ChargeSettings(1, 6, 3, 4, -1, 0.5, 1.5));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "10, 10",
    "100, 100",
    "5.5, 5.5",
    "7.07, 7.07",
    "2050.5, 2050.5",
    "0.1, 0.1",
    "16.205, 16.21",
    "1000000, 1000000"
  })
  void aChargeIsShownWithAtMostTwoDecimals(double charge, String text) {
    assertThat(ChargeModel.text(charge)).isEqualTo(text);
  }
}
