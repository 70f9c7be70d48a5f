package dev.partita.runtime.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Safety in every seed; then the faults stop, and the set must catch up. */
class SimulationTest {
  private static final int SEEDS = 300;

  /** Give {@code -Dsim.seed} for a single one, {@code -Dsim.seeds} for how many. */
  private static LongStream seeds() {
    var one = Long.getLong("sim.seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("sim.seeds", SEEDS));
  }

  @Test
  void noAcknowledgedWriteIsLostAndNoStrongReadStaleAndEveryReasonToDropIsReached() {
    var dropped = EnumSet.noneOf(DropReason.class);
    var ended = EnumSet.noneOf(StepDownReason.class);
    int[] totals = new int[4];
    seeds().forEach(seed -> {
      var observer = observe(seed);
      dropped.addAll(observer.dropped);
      ended.addAll(observer.ended);
      totals[0] += observer.acknowledged;
      totals[1] += observer.readsAnswered;
      totals[2] += observer.snapshots;
      totals[3] += observer.rebases;
    });
    if (Long.getLong("sim.seed") == null) {
      assertThat(dropped).isEqualTo(EnumSet.allOf(DropReason.class));
      assertThat(ended)
          .isEqualTo(EnumSet.complementOf(EnumSet.of(StepDownReason.DATA_LOSS_SUSPECTED)));
      assertThat(totals).doesNotContain(0);
    }
  }

  private static Observer observe(long seed) {
    try {
      return run(seed, null).observer;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("-Dsim.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  @Test
  void sameSeedSameRun() {
    for (long seed = 1; seed <= 3; seed++) {
      var once = new ArrayList<String>();
      var again = new ArrayList<String>();
      run(seed, once);
      run(seed, again);
      assertThat(once.size()).isGreaterThan(100);
      assertThat(again.equals(once)).isTrue();
    }
  }

  static Simulation run(long seed, @Nullable List<String> trace) {
    var sim = new Simulation(seed, trace);
    sim.runFor(12_000);
    sim.heal();
    int before = sim.observer.acknowledged;
    sim.runUntil(() -> sim.observer.acknowledged >= before + 20, 30_000, "20 writes");
    sim.quiet();
    sim.runUntil(sim::allReplicasEqual, 30_000, "all replicas equal");
    sim.checkStores();
    return sim;
  }
}
