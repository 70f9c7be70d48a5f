package dev.partita.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that once reached a disk are read for ever: one directory per version of the format. */
class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @TempDir
  Path directory;

  private LogSettings settings() {
    return LogSettings.in(directory).withSegmentBytes(8 << 10).withReserveBytes(0);
  }

  @Test
  void readsVersion1() throws IOException {
    copyInto("log-v1");
    try (var log = TestLog.open(settings())) {
      assertThat(log.replay("tail")).containsExactly("tail-3", "tail-4");
      assertThat(log.replay("replaced")).containsExactly("replaced-2");
      assertThat(log.replay("gone")).isEmpty();
      assertThat(log.highest("gone")).isEqualTo(9);
      assertThat(log.replay("é漢😀")).containsExactly("\u0000bytes of any kind");
      log.write("tail", 5, "tail-5");
    }
  }

  /** A change of the bytes that is not on purpose shows here; one on purpose is a new version. */
  @Test
  void writesVersion1() throws IOException {
    try (var log = TestLog.open(settings(), new Random(1))) {
      for (int i = 1; i <= 4; i++) {
        log.write("tail", i, "tail-" + i);
      }
      log.write("gone", 9, "gone-9");
      log.append(new Write().deleteTo("tail", 2).deleteTo("gone", Long.MAX_VALUE));
      log.write("replaced", 1, "replaced-1");
      log.replace("replaced", 2, "replaced-2");
      log.write("é漢😀", 1, "\u0000bytes of any kind");
    }
    var name = SpareSegments.segmentName(1);
    if (Boolean.getBoolean("golden.write")) {
      Files.createDirectories(GOLDEN.resolve("log-v1"));
      Files.copy(directory.resolve(name), GOLDEN.resolve("log-v1").resolve(name));
    }
    assertThat(directory.resolve(name))
        .hasSameBinaryContentAs(GOLDEN.resolve("log-v1").resolve(name));
  }

  private void copyInto(String version) throws IOException {
    try (var files = Files.list(GOLDEN.resolve(version))) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }
  }
}
