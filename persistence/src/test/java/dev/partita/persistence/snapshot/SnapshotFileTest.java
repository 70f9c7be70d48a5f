package dev.partita.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of a snapshot file: those of version 1 are read for ever. */
class SnapshotFileTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/snapshot-v1");

  @TempDir
  Path directory;

  private static SnapshotFile snapshot() {
    return new SnapshotFile(
        "é/id",
        42,
        1_234_567,
        new SnapshotFile.Value(4, "manifest", new byte[] {1, 2, 3}),
        new SnapshotFile.Value(20, "", new byte[] {9}));
  }

  @Test
  void writesVersion1() throws IOException {
    var file = directory.resolve("snapshot");
    snapshot().write(file, directory.resolve("temporary"));
    if (Boolean.getBoolean("golden.write")) {
      Files.copy(file, GOLDEN);
    }
    assertThat(file).hasSameBinaryContentAs(GOLDEN);
    assertThat(directory.resolve("temporary")).doesNotExist();
  }

  @Test
  void readsVersion1() throws IOException {
    assertThat(SnapshotFile.read(GOLDEN)).usingRecursiveComparison().isEqualTo(snapshot());
  }

  @Test
  void refusesANewerVersion() throws IOException {
    byte[] newer = Files.readAllBytes(GOLDEN);
    ByteBuffer.wrap(newer).putInt(8, 2);
    var file = Files.write(directory.resolve("newer"), newer);
    assertThatThrownBy(() -> SnapshotFile.read(file))
        .isInstanceOf(SnapshotFile.Unreadable.class)
        .hasMessageContaining("format 2, this program reads up to 1");
  }
}
