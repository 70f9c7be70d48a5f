package dev.partita.persistence.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentedLogTest {
  private static final int KIB = 1 << 10;

  @TempDir
  Path directory;

  private LogSettings settings() {
    return LogSettings.in(directory).withSegmentBytes(16 * KIB).withReserveBytes(0);
  }

  @Test
  void replaysWhatWasWrittenInOrderAndWithinBounds() {
    try (var log = TestLog.open(settings())) {
      for (int i = 1; i <= 9; i++) {
        log.write("a", i, "a-" + i);
      }
      log.write("b", 1, "b-1");

      assertThat(log.replay("a")).containsExactlyElementsOf(texts("a-", 1, 9));
      assertThat(log.replay("a", 3, 5, 100)).containsExactly("a-3", "a-4", "a-5");
      assertThat(log.replay("a", 3, 9, 2)).containsExactly("a-3", "a-4");
      assertThat(log.replay("a", 0, Long.MAX_VALUE, 0)).isEmpty();
      assertThat(log.replay("a", 5, 3, 9)).isEmpty();
      assertThat(log.replay("unknown")).isEmpty();
      assertThat(log.highest("a")).isEqualTo(9);
      assertThat(log.highest("unknown")).isZero();
    }
  }

  @Test
  void everythingIsThereAfterReopening() {
    try (var log = TestLog.open(settings())) {
      for (int i = 1; i <= 200; i++) {
        log.write("a", i, "a-" + i);
      }
      log.delete("a", 150);
      log.write("gone", 7, "gone-7");
      log.delete("gone", Long.MAX_VALUE);
      log.replace("r", 3, "r-3");
      log.write("r", 4, "r-4");
      log.replace("r", 5, "r-5");
    }
    try (var log = TestLog.open(settings())) {
      assertThat(log.replay("a")).containsExactlyElementsOf(texts("a-", 151, 200));
      assertThat(log.replay("gone")).isEmpty();
      assertThat(log.highest("gone")).isEqualTo(7);
      assertThat(log.replay("r")).containsExactly("r-5");
      log.write("gone", 8, "gone-8");
      assertThat(log.replay("gone")).containsExactly("gone-8");
    }
  }

  @Test
  void completesInTheOrderOfSubmission() {
    try (var log = TestLog.open(settings())) {
      var order = Collections.synchronizedList(new ArrayList<Integer>());
      var last = new CompletableFuture<Void>();
      for (int i = 1; i <= 500; i++) {
        int number = i;
        log.log().append(new Write().event("a", i, ("a-" + i).getBytes(UTF_8)), failure -> {
          order.add(number);
          if (number == 500) {
            last.complete(null);
          }
        });
      }
      last.join();
      assertThat(order)
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 500).boxed().toList());
    }
  }

  @Test
  void manyWritesShareOneSync() {
    try (var log = TestLog.open(settings().withSegmentBytes(1024 * KIB))) {
      CompletableFuture<?>[] writes = IntStream.rangeClosed(1, 1000)
          .mapToObj(i -> log.writeAsync("a", i, "a-" + i))
          .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(writes).join();
      assertThat(log.log().stats().records()).isEqualTo(1000);
      assertThat(log.log().stats().batches()).isLessThan(500);
    }
  }

  @Test
  void aWriteIsAllOrNothing() {
    try (var log = TestLog.open(settings())) {
      log.write("a", 5, "a-5");
      var write =
          new Write().event("b", 1, bytes("b-1")).event("a", 5, bytes("again")).deleteTo("a", 5);
      assertThatThrownBy(() -> log.append(write)).isInstanceOf(LogException.SecondWriter.class);
      assertThat(log.replay("a")).containsExactly("a-5");
      assertThat(log.replay("b")).isEmpty();
      log.append(new Write().event("b", 1, bytes("b-1"), bytes("!")).event("b", 2, bytes("b-2")));
      assertThat(log.replay("b")).containsExactly("b-1!", "b-2");
    }
  }

  @Test
  void aSecondWriterIsRefused() {
    try (var log = TestLog.open(settings())) {
      log.write("a", 1, "mine");
      assertThatThrownBy(() -> log.write("a", 1, "theirs"))
          .isInstanceOf(LogException.SecondWriter.class)
          .hasMessageContaining("a has an event 1 already");
      log.delete("a", 1);
      assertThatThrownBy(() -> log.write("a", 1, "theirs"))
          .isInstanceOf(LogException.SecondWriter.class);
      log.write("a", 3, "gaps are allowed");
    }
  }

  @Test
  void aDeletionDoesNotReachLaterEvents() {
    try (var log = TestLog.open(settings())) {
      log.write("a", 1, "a-1");
      log.delete("a", Long.MAX_VALUE);
      log.write("a", 2, "a-2");
    }
    try (var log = TestLog.open(settings())) {
      assertThat(log.replay("a")).containsExactly("a-2");
    }
  }

  @Test
  void segmentsWithoutLiveEventsAreUsedAgain() throws Exception {
    try (var log = TestLog.open(settings())) {
      for (int i = 1; i <= 2000; i++) {
        log.replace("a", i, "a-" + i);
      }
      await().until(() -> log.log().stats().segments() <= 2);
      assertThat(log.highest("a")).isEqualTo(2000);
    }
    try (var files = Files.list(directory)) {
      assertThat(files.count()).isLessThanOrEqualTo(1 + 2 + 4); // lock, segments, spares
    }
    try (var log = TestLog.open(settings())) {
      assertThat(log.replay("a")).containsExactly("a-2000");
    }
  }

  @Test
  void highestSequenceNumbersSurviveTheSegmentsThatProveThem() {
    try (var log = TestLog.open(settings())) {
      log.write("old", 41, "old-41");
      log.write("old", 42, "old-42");
      log.delete("old", 42);
      for (int i = 1; i <= 1000; i++) {
        log.replace("a", i, "a-" + i);
      }
      await().until(() -> log.log().stats().segments() <= 2);
    }
    try (var log = TestLog.open(settings())) {
      assertThat(log.highest("old")).isEqualTo(42);
      assertThat(log.replay("old")).isEmpty();
    }
  }

  @Test
  void aSlowHistoryDoesNotPinOldSegments() {
    var compacting = settings().withCompaction(64 * KIB, 1 << 20);
    try (var log = TestLog.open(compacting)) {
      log.write("slow", 1, "slow-1");
      log.replace("slow", 2, "slow-2");
      log.write("slow", 3, "slow-3");
      for (int i = 1; i <= 2000; i++) {
        log.replace("a", i, "a-" + i);
      }
      await().until(() -> log.log().stats().totalBytes() <= 64 * KIB);
      assertThat(log.replay("slow")).containsExactly("slow-2", "slow-3");
    }
    try (var log = TestLog.open(compacting)) {
      assertThat(log.replay("slow")).containsExactly("slow-2", "slow-3");
      assertThat(log.highest("slow")).isEqualTo(3);
    }
  }

  @Test
  void aLogThatIsMostlyAliveIsLeftToGrow() {
    try (var log = TestLog.open(settings().withCompaction(0, 1 << 20))) {
      for (int i = 1; i <= 1000; i++) {
        log.write("a", i, "x".repeat(200));
      }
      assertThat(log.log().stats().segments()).isGreaterThan(10);
      assertThat(log.replay("a")).hasSize(1000);
    }
  }

  @Test
  void refusesWhatNoSegmentCanHold() {
    try (var log = TestLog.open(settings())) {
      assertThatThrownBy(() -> log.write("a", 1, "x".repeat(16 * KIB)))
          .isInstanceOf(LogException.TooLarge.class);
      assertThatThrownBy(() -> log.write("i".repeat(70_000), 1, ""))
          .isInstanceOf(LogException.TooLarge.class);
      log.write("a", 1, "x".repeat(11 * KIB));
      log.write("a", 2, "x".repeat(11 * KIB));
      assertThat(log.replay("a")).hasSize(2);
    }
  }

  @Test
  void refusesWhatTheQueueCannotHold() {
    try (var log = TestLog.open(settings().withQueueBytes(4 * KIB))) {
      var writes = IntStream.rangeClosed(1, 1000)
          .mapToObj(i -> log.writeAsync("a" + i, 1, "x".repeat(1000)))
          .toList();
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
          .exceptionally(failure -> null)
          .join();
      assertThat(writes.stream().filter(CompletableFuture::isCompletedExceptionally))
          .isNotEmpty()
          .allSatisfy(refused ->
              assertThatThrownBy(refused::join).hasCauseInstanceOf(LogException.Overloaded.class));
      log.write("z", 1, "there is room again");
    }
  }

  @Test
  void oneDirectoryHasOneLog() {
    try (var log = TestLog.open(settings())) {
      assertThatThrownBy(() -> TestLog.open(settings()))
          .isInstanceOf(LogException.Locked.class)
          .hasMessageContaining("in use by another log of this process");
      log.write("a", 1, "undisturbed");
    }
    TestLog.open(settings()).close();
  }

  @Test
  void writesOfOnePersistenceIdFailOnCommand() {
    try (var log = TestLog.open(settings())) {
      log.log().faults().failWritesOf("a");
      assertThatThrownBy(() -> log.write("a", 1, "a-1")).isInstanceOf(LogException.Injected.class);
      log.write("b", 1, "b-1");
      log.log().faults().heal("a");
      log.write("a", 1, "a-1");
    }
  }

  @Test
  void refusesEverythingOnceClosed() {
    var log = TestLog.open(settings());
    log.write("a", 1, "a-1");
    log.close();
    assertThatThrownBy(() -> log.write("a", 2, "a-2")).isInstanceOf(LogException.Stopped.class);
    assertThatThrownBy(() -> log.replay("a")).isInstanceOf(LogException.Stopped.class);
  }

  @Test
  void saysWhatIsWrongWithADirectoryThatIsNone() throws Exception {
    var file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> SegmentedLog.open(LogSettings.in(file)))
        .isInstanceOf(LogException.Unusable.class)
        .hasMessageContaining(file.toString());
  }

  private static List<String> texts(String prefix, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> prefix + i).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
