package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.Status;
import dev.partita.multijvm.workload.Container;
import dev.partita.multijvm.workload.LsnAudit;
import dev.partita.multijvm.workload.Writer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Concurrent writers, and kill -9 at random moments, over and over on one data directory. After each restart every
 * acknowledged write is there, every unacknowledged one is there whole or not at all, the replicas are equal, and no LSN
 * was given twice or left out.
 */
class CrashIT {
  private static final String DATABASE = "crash";
  private static final String CONTAINER = "items";
  private static final int WRITERS = 8;
  private static final int WRITING_MILLIS_MAX = 900;
  private static final int RECOVERY_MILLIS_MAX = 1_500;
  private static final int TWO_PHYSICAL_PARTITIONS = 20_000;
  private static final Duration REPLICAS_EQUAL_MAX = Duration.ofSeconds(15);

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  private final long seed = seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final LsnAudit audit = new LsnAudit();
  private final List<Writer> writers = new ArrayList<>();
  private long kills;
  private long compared;

  @Test
  void anAcknowledgedWriteSurvivesKill9AndNoOtherIsHalfThere()
      throws IOException, InterruptedException {
    int rounds = Integer.getInteger("partita.crash.rounds", 20);
    System.out.println("crash test: " + rounds + " rounds, -Dpartita.seed=" + seed);
    var node = nodes.create(Map.of("PARTITA_HEAP", "256m"));
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer("w" + i, random.split(), audit));
    }
    for (int round = 1; round <= rounds; round++) {
      try {
        round(node, round);
      } catch (AssertionError e) {
        throw new AssertionError(
            "round " + round + " of -Dpartita.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    node.start();
    verify(node, true);
    assertThat(node.terminate()).as("exit code after SIGTERM").isIn(0, 143);
    node.start();
    verify(node, true);
    System.out.printf(
        "crash test: %d kills, %d writes acknowledged, %d items compared%n",
        kills, acknowledged(), compared);
  }

  private void round(Node node, int round) throws IOException, InterruptedException {
    if (round > 1 && random.nextInt(4) == 0) {
      killDuringRecovery(node);
    }
    node.start();
    if (round == 1) {
      try (var client = node.client()) {
        Container.create(client, DATABASE, CONTAINER, TWO_PHYSICAL_PARTITIONS);
      }
    }
    verify(node, round % 5 == 0);
    long before = acknowledged();
    writeAndKill(node);
    for (var writer : writers) {
      if (writer.failure() != null) {
        throw new AssertionError(writer.failure().getMessage(), writer.failure());
      }
    }
    assertThat(acknowledged()).as("writes acknowledged before the kill").isGreaterThan(before);
    audit.endRound();
  }

  private void killDuringRecovery(Node node) throws InterruptedException {
    node.spawn();
    TimeUnit.MILLISECONDS.sleep(random.nextInt(RECOVERY_MILLIS_MAX)); // the moment is the point
    node.kill();
    kills++;
  }

  private void writeAndKill(Node node) throws InterruptedException {
    var stop = new AtomicBoolean();
    var threads = new ArrayList<Thread>();
    long before = acknowledged();
    for (var writer : writers) {
      var thread = new Thread(() -> {
        try (var client = node.client()) {
          writer.run(client, DATABASE, CONTAINER, stop);
        }
      });
      threads.add(thread);
      thread.start();
    }
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> acknowledged() > before
              || writers.stream().anyMatch(writer -> writer.failure() != null));
      TimeUnit.MILLISECONDS.sleep(random.nextInt(WRITING_MILLIS_MAX)); // the moment is the point
      node.kill();
      kills++;
    } finally {
      stop.set(true);
      for (var thread : threads) {
        thread.join();
      }
    }
  }

  private void verify(Node node, boolean all) throws IOException {
    var highest = audit.highest();
    await()
        .atMost(REPLICAS_EQUAL_MAX)
        .untilAsserted(() -> assertThat(Status.of(node, DATABASE, CONTAINER).physicalPartitions())
            .hasSize(2)
            .allSatisfy(partition -> {
              long applied = partition.replicas().get(0).applied();
              assertThat(partition.replicas())
                  .hasSize(4)
                  .extracting(Status.Replica::applied)
                  .containsOnly(applied);
              assertThat(applied)
                  .as("at least what was acknowledged")
                  .isGreaterThanOrEqualTo(highest.getOrDefault(partition.rangeId(), 0L));
            }));
    try (var client = node.client()) {
      for (var writer : writers) {
        compared += writer.verify(client, DATABASE, CONTAINER, all);
      }
    }
    assertThat(Status.of(node, DATABASE, CONTAINER).items())
        .as("items")
        .isEqualTo(writers.stream().mapToLong(Writer::existing).sum());
  }

  private long acknowledged() {
    return writers.stream().mapToLong(Writer::acknowledged).sum();
  }

  private static long seed() {
    var given = System.getProperty("partita.seed", "");
    return given.isBlank() ? System.nanoTime() : Long.parseLong(given);
  }
}
