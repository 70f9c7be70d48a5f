package dev.partita.persistence.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.partita.persistence.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemStoreDiskFullTest {
  private static final int BATCH_ITEMS = 10;

  @TempDir
  Path folder;

  @BeforeAll
  static void loadTheNativeCodeElsewhere(@TempDir Path elsewhere) {
    NativeCode.load(elsewhere);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void writesFailWhileTheDiskIsFullAndResumeAlone(long seed) throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 16)) {
      Path directory = disk.folder().resolve("store");
      int written;
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        written = write(store, 0, 20 + new Random(seed).nextInt(50));
        store.flush();
        Path filler = disk.fill();
        written = writeUntilFull(store, written);
        assertFull(store);
        assertHolds(store, written); // reads go on

        Files.delete(filler);
        await()
            .atMost(Duration.ofSeconds(60))
            .ignoreException(StoreUnavailableException.class)
            .untilAsserted(store::requireWritable);
        written = write(store, written, 30);
        store.flush();
        assertHolds(store, written);
      }
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        assertHolds(store, written);
      }
    }
  }

  @Test
  void aFullDiskLosesNothingDurableWhenTheStoreIsClosedOnIt() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 16)) {
      Path directory = disk.folder().resolve("store");
      int durable;
      Path filler;
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        durable = write(store, 0, 50);
        store.flush();
        filler = disk.fill();
        writeUntilFull(store, durable);
      }
      Files.delete(filler);
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        int found = 0;
        while (store.item(CrashingWriter.number(found)) != null) {
          found++;
        }
        assertThat(found).isGreaterThanOrEqualTo(durable);
        assertThat(found % BATCH_ITEMS).as("items of half a batch").isZero();
        assertHolds(store, found);
      }
    }
  }

  @Test
  void aDiskThatIsFullAtTheStartIsSaidInOneLine() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 16)) {
      disk.fill();
      assertThatThrownBy(
              () -> ItemStore.open(disk.folder().resolve("store"), CrashingWriter.SETTINGS))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("no space left")
          .hasMessageContaining("free some");
    }
  }

  @Test
  void aFolderThatMayNotBeWrittenIsSaidInOneLine() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 16)) {
      Path directory = disk.folder().resolve("store");
      try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
        write(store, 0, 10);
      }
      disk.makeReadOnly();
      assertThatThrownBy(() -> ItemStore.open(directory, CrashingWriter.SETTINGS))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("read and write");
      assertThatThrownBy(
              () -> ItemStore.open(disk.folder().resolve("other"), CrashingWriter.SETTINGS))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("read and write");
    }
  }

  private static void assertFull(ItemStore store) {
    assertThatThrownBy(store::requireWritable)
        .isInstanceOfSatisfying(StoreUnavailableException.class, e -> {
          assertThat(e.resumes()).isTrue();
          assertThat(e.getMessage()).contains("no space left", "free some").doesNotContain("\n");
        });
    assertThatThrownBy(store::flush).isInstanceOf(StoreUnavailableException.class);
  }

  /** Writes batches from item {@code first} on. */
  private static int write(ItemStore store, int first, int batches) {
    int n = first;
    for (int i = 0; i < batches; i++) {
      store.write(batch(store, n));
      n += BATCH_ITEMS;
    }
    return n;
  }

  private static int writeUntilFull(ItemStore store, int first) {
    int n = first;
    while (n < first + 50_000) {
      try {
        store.write(batch(store, n));
      } catch (StoreUnavailableException e) {
        return n;
      }
      n += BATCH_ITEMS;
    }
    throw new AssertionError("the disk was never full");
  }

  private static ItemBatch batch(ItemStore store, int first) {
    ItemBatch batch = store.newBatch();
    for (int n = first; n < first + BATCH_ITEMS; n++) {
      batch.putItem(CrashingWriter.number(n), CrashingWriter.value(n));
    }
    return batch.putReplica(CrashingWriter.APPLIED, CrashingWriter.number(first + BATCH_ITEMS));
  }

  private static void assertHolds(ItemStore store, int items) {
    for (int n = 0; n < items; n++) {
      assertThat(store.item(CrashingWriter.number(n)))
          .as("item %s", n)
          .isEqualTo(CrashingWriter.value(n));
    }
    assertThat(store.item(CrashingWriter.number(items))).isNull();
    assertThat(store.replica(CrashingWriter.APPLIED)).isEqualTo(CrashingWriter.number(items));
  }
}
