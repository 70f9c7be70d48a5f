package dev.partita.http.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.cli.load.LineLedger.Position;
import org.junit.jupiter.api.Test;

class LineLedgerTest {
  @Test
  void theFirstOpenLineHoldsThePosition() {
    var ledger = new LineLedger(new Position(10, 2));
    for (long line = 11; line <= 14; line++) {
      ledger.begin(line);
    }
    assertThat(ledger.through()).isEqualTo(new Position(10, 2));
    ledger.loaded(12);
    ledger.rejected(13);
    assertThat(ledger.through()).as("11 is open").isEqualTo(new Position(10, 2));
    ledger.loaded(11);
    assertThat(ledger.through()).as("14 is open; 13 was rejected").isEqualTo(new Position(13, 3));
    ledger.loaded(14);
    assertThat(ledger.through()).isEqualTo(new Position(14, 3));
  }
}
