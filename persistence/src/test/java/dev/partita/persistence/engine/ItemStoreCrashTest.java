package dev.partita.persistence.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kill -9 may do to the store, and what not. */
class ItemStoreCrashTest {
  private static final int ROUNDS = Integer.getInteger("crash.rounds", 12);
  private static final long SEED = Long.getLong("crash.seed", 20261130);

  @TempDir
  Path folder;

  @Test
  void aKilledStoreIsAPrefixOfItsBatchesWithEverythingFlushedInIt() throws Exception {
    var random = new Random(SEED);
    Path directory = folder.resolve("store");
    long before = 0;
    int unflushedLost = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String name = "round " + round + " of -Dcrash.seed=" + SEED;
      Said said = runAndKill(directory, 10 + random.nextInt(60));
      assertThat(said.written).as("%s: written", name).isGreaterThan(before);
      assertThat(said.flushed).as("%s: flushed", name).isGreaterThanOrEqualTo(before);
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        long applied = applied(store);
        assertThat(applied)
            .as("%s: all that was flushed", name)
            .isGreaterThanOrEqualTo(said.flushed);
        assertPrefix(name, store, applied);
        unflushedLost += applied < said.written ? 1 : 0;
        before = applied;
      }
    }
    assertThat(before).as("batches in the end").isGreaterThan(1_000);
    assertThat(unflushedLost).as("rounds that lost batches not flushed").isPositive();
  }

  private static void assertPrefix(String name, ItemStore store, long applied) {
    long expected = 0;
    for (long m = 1; m <= applied; m++) {
      expected += CrashingWriter.isThere(m, applied) ? 1 : 0;
    }
    var count = new long[1];
    store.scanItems(new byte[0], new byte[] {(byte) 0xFF}, ScanKind.SWEEP, (key, value) -> {
      long m = ByteBuffer.wrap(key).getLong();
      assertThat(CrashingWriter.isThere(m, applied))
          .as("%s: item %s of %s", name, m, applied)
          .isTrue();
      assertThat(Arrays.equals(value, CrashingWriter.value(m)))
          .as("%s: value of %s", name, m)
          .isTrue();
      count[0]++;
      return true;
    });
    assertThat(count[0]).as("%s: items of %s batches", name, applied).isEqualTo(expected);
    for (long k = 0; k < CrashingWriter.LOGICALS; k++) {
      long last = applied - Math.floorMod(applied - k, CrashingWriter.LOGICALS);
      byte[] logical = store.logical(CrashingWriter.number(k));
      byte[] expectedLogical = last < 1 ? null : CrashingWriter.number(last);
      assertThat(logical).as("%s: logical %s of %s", name, k, applied).isEqualTo(expectedLogical);
    }
  }

  private static long applied(ItemStore store) {
    byte[] applied = store.replica(CrashingWriter.APPLIED);
    return applied == null ? 0 : ByteBuffer.wrap(applied).getLong();
  }

  /** Kills the writer once it has written and said so many lines; what it said before dying counts too. */
  private Said runAndKill(Path directory, int lines) throws IOException, InterruptedException {
    Process writer = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            CrashingWriter.class.getName(),
            directory.toString()))
        .redirectError(folder.resolve("stderr").toFile())
        .start();
    var said = new ArrayList<String>();
    boolean wrote = false;
    try (BufferedReader reader = writer.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        said.add(line);
        wrote |= line.startsWith("W");
        if (wrote && said.size() >= lines) {
          writer
              .toHandle()
              .destroyForcibly(); // unlike the process itself, this lets its output be read out
        }
      }
    } finally {
      writer.destroyForcibly();
    }
    assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said)
        .as(Files.readString(folder.resolve("stderr")))
        .hasSizeGreaterThanOrEqualTo(lines);
    return Said.of(said);
  }

  private record Said(long written, long flushed) {
    static Said of(List<String> lines) {
      long written = 0;
      long flushed = 0;
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        if (words.length == 2 && words[0].equals("W")) {
          written = Long.parseLong(words[1]);
        } else if (words.length == 2 && words[0].equals("F")) {
          flushed = Long.parseLong(words[1]);
        }
      }
      return new Said(written, flushed);
    }
  }
}
