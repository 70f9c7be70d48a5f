package dev.partita.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was durable and is no longer what it was is reported, with file and offset; never cut off. */
class DamageTest {
  private static final String FIRST = SpareSegments.segmentName(1);
  private static final int DATA = Format.SEGMENT_HEADER_BYTES;

  private final LogSettings settings =
      LogSettings.in(Path.of("/simulated")).withSegmentBytes(8 << 10).withReserveBytes(0);
  private final Random salts = new Random(1);
  private final SimulatedDisk disk = new SimulatedDisk(1);

  private TestLog open(SimulatedDisk someDisk) {
    return TestLog.open(settings, someDisk, salts);
  }

  private void writeThree() {
    try (var log = open(disk)) {
      log.write("a", 1, "a-1");
      log.write("b", 1, "b-1");
      log.write("a", 2, "a-2");
    }
  }

  @Test
  void everyFlippedByteOfWhatWasAcknowledgedIsDetected() {
    writeThree();
    byte[] whole = disk.bytes(FIRST);
    int end = endOfBatches(whole, 3);
    for (int at = DATA; at < end; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      if (isPadding(whole, at)) {
        continue;
      }
      int offset = at;
      assertThatThrownBy(() -> open(disk.with(FIRST, flipped)).close())
          .as("byte %d", at)
          .isInstanceOfSatisfying(LogException.Damaged.class, damage -> {
            assertThat(damage.file()).isEqualTo("/simulated/" + FIRST);
            assertThat(damage.offset()).isBetween((long) DATA, (long) offset);
          });
    }
  }

  @Test
  void everyFlippedByteOfTheHeaderIsDetected() {
    writeThree();
    byte[] whole = disk.bytes(FIRST);
    for (int at = 0; at < 52; at++) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      assertThatThrownBy(() -> open(disk.with(FIRST, flipped)).close())
          .as("byte %d", at)
          .isInstanceOf(LogException.class);
    }
  }

  @Test
  void everyFlippedByteAfterTheAcknowledgedOnesIsHarmless() {
    writeThree();
    byte[] whole = disk.bytes(FIRST);
    for (int at = endOfBatches(whole, 3); at < whole.length; at += 7) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      try (var log = open(disk.with(FIRST, flipped))) {
        assertThat(log.replay("a")).as("byte %d", at).containsExactly("a-1", "a-2");
        assertThat(log.replay("b")).as("byte %d", at).containsExactly("b-1");
      }
    }
  }

  @Test
  void everyTruncationIsDetected() {
    writeThree();
    byte[] whole = disk.bytes(FIRST);
    for (int length = 0; length < whole.length; length += length < DATA ? 512 : 1) {
      byte[] shortened = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> open(disk.with(FIRST, shortened)).close())
          .as("%d bytes", length)
          .isInstanceOf(LogException.Damaged.class);
    }
  }

  @Test
  void aTornLastBatchIsCutOffWhereverItTore() {
    writeThree();
    byte[] before = disk.bytes(FIRST);
    try (var log = open(disk)) {
      log.append(new Write().event("a", 3, new byte[] {'x'}).event("c", 1, new byte[700]));
    }
    byte[] after = disk.bytes(FIRST);
    int start = endOfBatches(after, 3);
    int end = endOfBatches(after, 4);
    for (int torn = start; torn < end; torn++) {
      byte[] bytes = before.clone();
      System.arraycopy(after, start, bytes, start, torn - start);
      assertTornAndUsable(bytes);
    }
    for (int hole = start; hole < end; hole += 64) { // sectors reach the disk in any order
      byte[] bytes = before.clone();
      System.arraycopy(after, start, bytes, start, end - start);
      Arrays.fill(bytes, hole, Math.min(hole + 64, end), (byte) 0x55);
      assertTornAndUsable(bytes);
    }
  }

  private void assertTornAndUsable(byte[] bytes) {
    var tornDisk = disk.with(FIRST, bytes);
    try (var log = open(tornDisk)) {
      assertThat(log.replay("a")).containsExactly("a-1", "a-2");
      assertThat(log.replay("c")).isEmpty();
      log.write("a", 3, "a-3");
    }
    try (var log = open(tornDisk)) {
      assertThat(log.replay("a")).containsExactly("a-1", "a-2", "a-3");
      assertThat(log.replay("b")).containsExactly("b-1");
      assertThat(log.replay("c")).isEmpty();
    }
  }

  @Test
  void damageInAnOlderSegmentIsDetected() {
    try (var log = open(disk)) {
      for (int i = 1; i <= 10; i++) {
        log.write("a", i, "x".repeat(1000));
      }
      assertThat(log.log().stats().segments()).isGreaterThan(2);
    }
    byte[] flipped = disk.bytes(FIRST);
    flipped[endOfBatches(flipped, 2) + 100] ^= 1; // its last batch, which has no marker behind it
    assertThatThrownBy(() -> open(disk.with(FIRST, flipped)).close())
        .isInstanceOf(LogException.Damaged.class)
        .hasMessageContaining("batch 3 is unreadable");
  }

  @Test
  void aMissingSegmentIsDetected() {
    try (var log = open(disk)) {
      for (int i = 1; i <= 10; i++) {
        log.write("a", i, "x".repeat(1000));
      }
    }
    for (int number : List.of(1, 2)) {
      assertThatThrownBy(
              () -> open(disk.without(SpareSegments.segmentName(number))).close())
          .isInstanceOf(LogException.Damaged.class)
          .hasMessageContaining("the segment is missing")
          .hasMessageContaining(SpareSegments.segmentName(number));
    }
  }

  @Test
  void damageUnderARunningLogFailsTheReplayOnly() {
    try (var log = open(disk)) {
      log.write("a", 1, "a-1");
      log.write("b", 1, "b-1");
      disk.flip(FIRST, DATA + Format.BATCH_HEADER_BYTES + Format.RECORD_HEADER_BYTES + 2);
      assertThatThrownBy(() -> log.replay("a"))
          .isInstanceOf(LogException.Damaged.class)
          .hasMessageContaining("event 1 of a is unreadable");
      assertThat(log.replay("b")).containsExactly("b-1");
    }
  }

  @Test
  void aNewerFormatIsRefusedInOneLine() {
    writeThree();
    byte[] newer = disk.bytes(FIRST);
    ByteBuffer.wrap(newer).putInt(8, 2);
    assertThatThrownBy(() -> open(disk.with(FIRST, newer)).close())
        .isInstanceOf(LogException.NewerFormat.class)
        .hasMessage(
            "/simulated/%s has log format 2, this program reads up to 1: start the newer program that wrote it"
                .formatted(FIRST));
  }

  private static int endOfBatches(byte[] segment, int count) {
    var buffer = ByteBuffer.wrap(segment);
    int at = DATA;
    for (int i = 0; i < count; i++) {
      at += Format.batchLength(buffer, at);
    }
    return at;
  }

  /** Zeros between things, which nothing depends on. */
  private static boolean isPadding(byte[] segment, int at) {
    var buffer = ByteBuffer.wrap(segment);
    int start = DATA;
    while (start + Format.batchLength(buffer, start) <= at) {
      start += Format.batchLength(buffer, start);
    }
    int records =
        start + Format.BATCH_HEADER_BYTES + buffer.getInt(start + Format.BATCH_HEADER_BYTES);
    int trailer = start + Format.batchLength(buffer, start) - Format.TRAILER_BYTES;
    return (at >= start + 28 && at < start + 32) || (at >= records && at < trailer);
  }
}
