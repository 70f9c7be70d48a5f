package dev.partita.http.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  @Test
  void shareRateAndTimeLeft() {
    assertThat(ProgressLine.of(25, 100, new Loader.Counts(9_000, 1_000, 0), Duration.ofSeconds(20)))
        .isEqualTo(" 25% [======                  ]  10,000 items  500/s  1:00 left");
  }

  @Test
  void withoutASizeThereIsNoShare() {
    assertThat(ProgressLine.of(25, 0, new Loader.Counts(100, 0, 3), Duration.ofSeconds(1)))
        .isEqualTo("100 items  100/s  3 rejected");
  }
}
