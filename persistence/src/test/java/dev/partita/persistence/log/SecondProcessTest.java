package dev.partita.persistence.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecondProcessTest {

  @TempDir
  Path directory;

  @Test
  void aSecondProcessIsToldThatTheDirectoryIsInUse() throws Exception {
    var settings = LogSettings.in(directory).withSegmentBytes(8 << 10).withReserveBytes(0);
    try (var log = TestLog.open(settings)) {
      try {
        TestLog.open(settings).close(); // must not give up the lock of the process
      } catch (LogException.Locked expected) {
        assertThat(expected).hasMessageContaining("another log of this process");
      }
      assertThat(openInAnotherProcess()).contains("is in use by another process: stop that first");
      log.write("a", 1, "undisturbed");
    }
    assertThat(openInAnotherProcess()).contains("opened");
  }

  private String openInAnotherProcess() throws IOException, InterruptedException {
    var process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Opener.class.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  /** What the other process runs. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] args) {
      try (var log =
          SegmentedLog.open(LogSettings.in(Path.of(args[0])).withSegmentBytes(8 << 10))) {
        System.out.println("opened, with " + log.stats().segments() + " segments");
      } catch (LogException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
