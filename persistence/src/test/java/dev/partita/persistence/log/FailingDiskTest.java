package dev.partita.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A full disk is survived; a disk that fails a sync is not trusted again. */
class FailingDiskTest {
  private final LogSettings settings =
      LogSettings.in(Path.of("/simulated")).withSegmentBytes(8 << 10).withReserveBytes(0);
  private final SimulatedDisk disk = new SimulatedDisk(1);

  private TestLog open() {
    return TestLog.open(settings, disk, new Random(1));
  }

  @Test
  void aFailedSyncIsFinal() {
    try (var log = open()) {
      log.write("a", 1, "a-1");
      disk.failForces();
      assertThatThrownBy(() -> log.write("a", 2, "a-2"))
          .isInstanceOf(LogException.Stopped.class)
          .hasMessageContaining("Input/output error");
      assertThatThrownBy(() -> log.write("b", 1, "b-1")).isInstanceOf(LogException.Stopped.class);
      assertThatThrownBy(() -> log.highest("a")).isInstanceOf(LogException.Stopped.class);
      assertThatThrownBy(() -> log.replay("a")).isInstanceOf(LogException.Stopped.class);
    }
    try (var log = TestLog.open(settings, disk.afterPowerLoss(), new Random(2))) {
      assertThat(log.replay("a")).startsWith("a-1");
    }
  }

  @Test
  void aFullDiskFailsWritesUntilThereIsRoom() {
    try (var log = open()) {
      disk.usableBytes(0);
      int written = writeUntilFull(log);
      assertThat(log.replay("a")).hasSize(written);
      assertThat(log.highest("a")).isEqualTo(written);
      assertThatThrownBy(() -> log.write("a", written + 1, "x".repeat(1000)))
          .isInstanceOf(LogException.DiskFull.class)
          .hasMessageContaining("disk full");
      disk.usableBytes(1 << 20);
      log.write("a", written + 1, "x".repeat(1000));
      assertThat(log.replay("a")).hasSize(written + 1);
    }
    try (var log = open()) {
      assertThat(log.replay("a")).isNotEmpty();
    }
  }

  @Test
  void deletingMakesRoomOnAFullDisk() {
    try (var log = open()) {
      disk.usableBytes(0);
      int written = writeUntilFull(log);
      log.delete("a", Long.MAX_VALUE);
      await().until(() -> catchThrowable(() -> log.write("b", 1, "b-1")) == null);
      assertThat(log.highest("a")).isEqualTo(written);
    }
  }

  @Test
  void replacingHistoriesMakesRoomOnAFullDisk() {
    try (var log = open()) {
      disk.usableBytes(0);
      int written = writeUntilFull(log);
      log.replace("a", written + 1, "all in one");
      await().until(() -> catchThrowable(() -> log.write("b", 1, "b-1")) == null);
      assertThat(log.replay("a")).containsExactly("all in one");
    }
  }

  @Test
  void theDiskIsFullOnCommand() {
    try (var log = open()) {
      log.log().faults().diskFull(true);
      writeUntilFull(log);
      log.log().faults().diskFull(false);
      log.write("b", 1, "b-1");
    }
  }

  @Test
  void aNewLogOnAFullDiskSaysSo() {
    disk.usableBytes(0);
    assertThatThrownBy(() -> open().close()).isInstanceOf(LogException.DiskFull.class);
  }

  private static int writeUntilFull(TestLog log) {
    for (int i = 1; ; i++) {
      int sequenceNr = i;
      var failure = catchThrowable(() -> log.write("a", sequenceNr, "x".repeat(1000)));
      if (failure != null) {
        assertThat(failure).isInstanceOf(LogException.DiskFull.class);
        return i - 1;
      }
    }
  }
}
