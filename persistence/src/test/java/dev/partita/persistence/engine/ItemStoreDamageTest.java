package dev.partita.persistence.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files: one line that names the file, or the right data; never other data. */
class ItemStoreDamageTest {
  private static final int ITEMS = 600;

  @TempDir
  Path directory;

  @TempDir
  Path other;

  @BeforeEach
  void fillTheStore() {
    try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
      ItemBatch batch = store.newBatch();
      for (int part = 0; part < 2; part++) {
        batch.clear();
        for (int n = part; n < ITEMS; n += 2) {
          batch.putItem(CrashingWriter.number(n), CrashingWriter.value(n));
          batch.putLogical(CrashingWriter.number(n), CrashingWriter.number(n));
        }
        store.write(batch.putReplica(CrashingWriter.APPLIED, CrashingWriter.number(part)));
        store.flush();
      }
    }
  }

  @Test
  void aFlippedByteInATableIsFoundOrHarmless() throws IOException {
    var random = new Random(5);
    int found = 0;
    for (String table : names(name -> name.endsWith(".sst"))) {
      for (int i = 0; i < 20; i++) {
        Path copy = copyOfTheStore();
        flip(copy.resolve(table), random);
        Optional<StoreDamagedException> damage = damageOfOpeningAndReadingAll(copy);
        damage.ifPresent(e -> assertNames(e, copy.resolve(table)));
        found += damage.isPresent() ? 1 : 0;
      }
    }
    assertThat(found).as("flips that were found").isGreaterThan(50);
  }

  @Test
  void aFlippedByteInTheManifestIsFoundOrHarmlessAndNoTableIsDeleted() throws IOException {
    var random = new Random(6);
    int found = 0;
    String manifest = names(name -> name.startsWith("MANIFEST")).get(0);
    List<String> tables = names(name -> name.endsWith(".sst"));
    for (int i = 0; i < 150; i++) {
      Path copy = copyOfTheStore();
      flip(copy.resolve(manifest), random);
      if (damageOfOpeningAndReadingAll(copy).isPresent()) {
        found++;
        assertThat(tables).as("tables still there").allMatch(t -> Files.exists(copy.resolve(t)));
      }
    }
    assertThat(found).as("flips that were found").isGreaterThan(100);
  }

  @Test
  void aManifestCutAnywhereIsFoundOrHarmless() throws IOException {
    String manifest = names(name -> name.startsWith("MANIFEST")).get(0);
    byte[] whole = Files.readAllBytes(directory.resolve(manifest));
    int found = 0;
    for (int length = 0; length < whole.length; length += 17) {
      Path copy = copyOfTheStore();
      Files.write(copy.resolve(manifest), Arrays.copyOf(whole, length));
      found += damageOfOpeningAndReadingAll(copy).isPresent() ? 1 : 0;
    }
    assertThat(found).as("cuts that were found").isGreaterThan(10);
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    for (String file : names(name -> name.endsWith(".sst") || name.startsWith("MANIFEST"))) {
      Path copy = copyOfTheStore();
      Files.delete(copy.resolve(file));
      assertThat(damageOfOpeningAndReadingAll(copy))
          .hasValueSatisfying(e -> assertNames(e, copy.resolve(file)));
    }
  }

  @Test
  void aMissingOrSenselessCurrentIsNamedAndNothingIsDeleted() throws IOException {
    List<String> tables = names(name -> name.endsWith(".sst"));
    Path current = directory.resolve("CURRENT");
    Files.delete(current);
    assertThat(damageOfOpeningAndReadingAll(directory))
        .hasValueSatisfying(e -> assertNames(e, current));
    for (String senseless : List.of("", "x", "garbage\n", "MANIFEST-\n", "MANIFEST-999999\n")) {
      Files.writeString(current, senseless);
      assertThat(damageOfOpeningAndReadingAll(directory))
          .as(senseless)
          .hasValueSatisfying(
              e -> assertThat(e.getMessage()).contains("damaged").doesNotContain("\n"));
    }
    assertThat(tables).allMatch(table -> Files.exists(directory.resolve(table)));
  }

  @Test
  void aDamagedMarkIsNamed() throws IOException {
    Path mark = directory.resolve(DurableMark.FILE);
    for (String senseless : List.of("", "3", "3 00000000\n", "x y\n")) {
      Files.writeString(mark, senseless);
      assertThat(damageOfOpeningAndReadingAll(directory))
          .as(senseless)
          .hasValueSatisfying(e -> assertNames(e, mark));
    }
  }

  @Test
  void aStoreThatIsOpenIsNotOpenedAgain() {
    ItemStore open = ItemStore.open(directory, CrashingWriter.SETTINGS);
    try (open) {
      assertThatThrownBy(() -> ItemStore.open(directory, CrashingWriter.SETTINGS))
          .isInstanceOf(StoreAccessException.class)
          .hasMessageContaining("open elsewhere");
      assertThat(open.item(CrashingWriter.number(1))).isEqualTo(CrashingWriter.value(1));
    }
  }

  @Test
  void aFileInTheWayOfTheFolderIsNamed() throws IOException {
    Path file = Files.writeString(other.resolve("file"), "x");
    assertThatThrownBy(() -> ItemStore.open(file, CrashingWriter.SETTINGS))
        .isInstanceOf(StoreAccessException.class)
        .hasMessageContaining(file.toString());
  }

  /** Fails if anything read is not what was written. */
  private static Optional<StoreDamagedException> damageOfOpeningAndReadingAll(Path directory) {
    try (ItemStore store = ItemStore.open(directory, CrashingWriter.SETTINGS)) {
      for (int n = 0; n < ITEMS; n++) {
        byte[] value = store.item(CrashingWriter.number(n));
        assertThat(Arrays.equals(value, CrashingWriter.value(n)))
            .as("item %s", n)
            .isTrue();
        assertThat(store.logical(CrashingWriter.number(n))).isEqualTo(CrashingWriter.number(n));
      }
      var count = new int[1];
      store.scanItems(
          new byte[0], new byte[] {(byte) 0xFF}, ScanKind.SWEEP, (k, v) -> ++count[0] > 0);
      assertThat(count[0]).isEqualTo(ITEMS);
      assertThat(store.replica(CrashingWriter.APPLIED)).isEqualTo(CrashingWriter.number(1));
      return Optional.empty();
    } catch (StoreDamagedException e) {
      return Optional.of(e);
    }
  }

  private Path copyOfTheStore() throws IOException {
    Path copy = Files.createTempDirectory(other, "copy");
    for (String name : names(name -> !name.equals("native"))) {
      Files.copy(directory.resolve(name), copy.resolve(name));
    }
    return copy;
  }

  private static void flip(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    Files.write(file, bytes);
  }

  private static void assertNames(StoreDamagedException damage, Path file) {
    assertThat(damage.file()).as(damage.getMessage()).isEqualTo(file.toString());
    assertThat(damage).hasMessageContaining(file.toString()).hasMessageContaining("restore");
    assertThat(damage.getMessage()).doesNotContain("\n");
  }

  private List<String> names(Predicate<String> wanted) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(wanted)
          .sorted()
          .toList();
    }
  }
}
