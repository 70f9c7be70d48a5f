package dev.partita.runtime.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ResourceId;
import dev.partita.runtime.model.Uid;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EtagSourceTest {
  @Test
  void anEtagHoldsAttemptRangeAndCounter() {
    var etags = EtagSource.of(0x1234, new Epoch(9, new Uid(-1, 0xfedcba9876543210L)), new Lsn(1));
    assertThat(etags.next()).isEqualTo("\"32101234-0000-0100-0000-000000000100\"");
    assertThat(etags.next()).isEqualTo("\"32101234-0000-0100-0000-000000000101\"");
  }

  @Test
  void rangesEpochsAndWritesNeverShareAnEtag() {
    Set<String> seen = new HashSet<>();
    for (int range = 0; range < 3; range++) {
      for (long epoch = 0; epoch < 5; epoch++) {
        // The same attempt bits, as bad luck has it; each epoch fills ten entries.
        var etags = EtagSource.of(range, new Epoch(epoch, Uid.ZERO), new Lsn(epoch * 10));
        for (int i = 0; i < 10 * EpochEtags.MUTATIONS_PER_ENTRY_MAX; i++) {
          assertThat(seen.add(etags.next())).isTrue();
        }
      }
    }
  }

  @Test
  void itemNumbersGrowAndNameTheirRange() {
    var rids = RidSource.of(7, 42);
    assertThat(rids.next()).isEqualTo(ResourceId.itemNumber(7, 42));
    assertThat(rids.next()).isEqualTo(ResourceId.itemNumber(7, 43));
  }
}
