package dev.partita.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random writes, deletions and replacements against a model, with the power going at a random
 * operation: afterwards the log holds exactly the first k writes, none of them in part, and all that
 * were acknowledged.
 */
class PowerLossTest {
  private static final int ROUNDS = 12;
  private static final int OPERATIONS_MAX = 120;
  private static final int IN_FLIGHT_MAX = 4;

  private final LogSettings settings = LogSettings.in(Path.of("/simulated"))
      .withSegmentBytes(8 << 10)
      .withReserveBytes(0)
      .withCompaction(24 << 10, 1 << 30);

  static LongStream seeds() {
    var seed = Long.getLong("log.seed");
    return seed == null ? LongStream.range(0, 40) : LongStream.of(seed);
  }

  @ParameterizedTest(name = "-Dlog.seed={0}")
  @MethodSource("seeds")
  void whatWasAcknowledgedIsThereAndNothingIsHalfThere(long seed) {
    var random = new Random(seed);
    var disk = new SimulatedDisk(seed);
    var model = new LogModel();
    int interrupted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      disk.losePowerAfter(random.nextInt(OPERATIONS_MAX));
      var run = run(disk, random, model);
      interrupted += run.submitted.size() - run.acknowledged;
      disk = disk.afterPowerLoss();
      try (var log = TestLog.open(settings, disk, random)) {
        model = survivor(log, run);
      }
    }
    assertThat(interrupted).as("writes that the power loss hit").isPositive();
  }

  /** The models after each write, the first one being that before any; how many are acknowledged. */
  private record Run(List<LogModel> submitted, int acknowledged) {}

  private Run run(SimulatedDisk disk, Random random, LogModel before) {
    var models = new ArrayList<LogModel>(List.of(before));
    int acknowledged = 0;
    try (var log = TestLog.open(settings, disk, random)) {
      var pending = new ArrayList<CompletableFuture<Void>>();
      while (true) {
        while (pending.size() < IN_FLIGHT_MAX) {
          var step = models.get(models.size() - 1).randomStep(random, 12, 400);
          pending.add(log.appendAsync(step.write()));
          models.add(step.after());
        }
        if (pending.remove(0).handle((done, failure) -> failure != null).join()) {
          return new Run(models, acknowledged);
        }
        acknowledged++;
      }
    } catch (LogException.Unusable noPowerEvenToOpen) {
      return new Run(models, acknowledged);
    }
  }

  private static LogModel survivor(TestLog log, Run run) {
    for (int k = run.submitted.size() - 1; k >= run.acknowledged; k--) {
      if (run.submitted.get(k).matches(log)) {
        return run.submitted.get(k);
      }
    }
    run.submitted.get(run.acknowledged).assertMatches(log); // says what differs
    throw new AssertionError("not reached");
  }
}
