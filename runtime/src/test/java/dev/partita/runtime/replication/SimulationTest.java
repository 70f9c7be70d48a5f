package dev.partita.runtime.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Safety in every seed; then the faults stop, and the set must catch up. */
class SimulationTest {
  /** Set {@code -Dsim.seed} for a single one, {@code -Dsim.seeds} for their number. */
  private static LongStream seeds() {
    var one = Long.getLong("sim.seed");
    return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("sim.seeds", 300));
  }

  @Test
  void anAcknowledgedWriteIsNeverLostAndAStrongReadNeverStale() {
    var dropped = EnumSet.noneOf(DropReason.class);
    int[] totals = new int[4];
    seeds().forEach(seed -> {
      try {
        var sim = run(seed, null);
        dropped.addAll(sim.observer.dropped);
        totals[0] += sim.observer.acknowledged;
        totals[1] += sim.observer.readsAnswered;
        totals[2] += sim.observer.snapshots;
        totals[3] += sim.observer.rebases;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("-Dsim.seed=" + seed + ": " + e.getMessage(), e);
      }
    });
    System.out.println(dropped + " " + java.util.Arrays.toString(totals));
  }

  static Simulation run(long seed, List<String> trace) {
    var sim = new Simulation(seed, trace);
    sim.runFor(15_000);
    sim.heal();
    int before = sim.observer.acknowledged;
    sim.runUntil(() -> sim.observer.acknowledged >= before + 20, 30_000, "20 writes");
    sim.quiet();
    sim.runUntil(sim::allReplicasEqual, 30_000, "all replicas equal");
    sim.checkStores();
    return sim;
  }
}
