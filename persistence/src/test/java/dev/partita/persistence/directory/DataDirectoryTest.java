package dev.partita.persistence.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.partita.persistence.SmallDisk;
import dev.partita.persistence.directory.DataDirectoryException.Reason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final String CLUSTER = "00112233445566778899aabbccddeeff";
  private static final String OTHER = "ffeeddccbbaa99887766554433221100";

  @TempDir
  Path folder;

  @Test
  void aNewDirectoryHasItsStoresAndFoldersAndIsInNoCluster() {
    try (DataDirectory data = open(folder.resolve("a/b/data"))) {
      assertThat(data.storeUids()).hasSize(4).doesNotHaveDuplicates();
      assertThat(data.storeUids()).allMatch(uid -> uid.matches("[0-9a-f]{32}"));
      assertThat(data.bootCount()).isEqualTo(1);
      assertThat(data.clusterId()).isEmpty();
      assertThat(data.genesis().state()).isEqualTo(Genesis.State.NONE);
      assertThat(List.of(data.log(), data.store(), data.snapshots(), data.tls()))
          .allMatch(Files::isDirectory);
    }
  }

  @Test
  void whatWasDecidedIsThereAtTheNextOpening() {
    List<String> uids;
    try (DataDirectory data = open(folder)) {
      uids = data.storeUids();
      data.joinCluster(CLUSTER);
      assertThat(data.acceptGenesis("a=1\nb\\n=2\r\n")).isTrue();
      assertThat(data.reserveSlots(3)).isEqualTo(1);
      assertThat(data.reserveSlots(1)).isEqualTo(4);
    }
    try (DataDirectory data = DataDirectory.open(folder, 1, Optional.of(CLUSTER))) {
      assertThat(data.storeUids()).as("an existing directory keeps its stores").isEqualTo(uids);
      assertThat(data.bootCount()).isEqualTo(2);
      assertThat(data.clusterId()).contains(CLUSTER);
      assertThat(data.genesis()).isEqualTo(new Genesis(Genesis.State.ACCEPTED, "a=1\nb\\n=2\r\n"));
      assertThat(data.reserveSlots(1)).isEqualTo(5);
    }
  }

  @Test
  void theGenesisIsWrittenOnce() {
    try (DataDirectory data = open(folder)) {
      assertThat(data.activateGenesis("G")).as("before it was accepted").isFalse();
      assertThat(data.acceptGenesis("G")).isTrue();
      assertThat(data.acceptGenesis("G")).as("again").isTrue();
      assertThat(data.acceptGenesis("H")).isFalse();
      assertThat(data.activateGenesis("H")).isFalse();
      assertThat(data.genesis()).isEqualTo(new Genesis(Genesis.State.ACCEPTED, "G"));
      assertThat(data.activateGenesis("G")).isTrue();
      assertThat(data.activateGenesis("G")).as("again").isTrue();
      assertThat(data.acceptGenesis("G")).as("still that one").isTrue();
      assertThat(data.acceptGenesis("H")).isFalse();
      assertThat(data.resetGenesis()).as("an active one").isFalse();
      assertThat(data.genesis()).isEqualTo(new Genesis(Genesis.State.ACTIVE, "G"));
    }
  }

  @Test
  void anAcceptedGenesisCanBeReset() {
    try (DataDirectory data = open(folder)) {
      data.acceptGenesis("G");
      assertThat(data.resetGenesis()).isTrue();
      assertThat(data.acceptGenesis("H")).isTrue();
    }
  }

  @Test
  void aDirectoryOfAnotherClusterIsRefusedAndNotCounted() {
    try (DataDirectory data = DataDirectory.open(folder, 1, Optional.of(CLUSTER))) {
      assertThat(data.clusterId()).contains(CLUSTER);
      data.joinCluster(CLUSTER);
      assertRefused(Reason.OTHER_CLUSTER, () -> data.joinCluster(OTHER));
    }
    DataDirectoryException refused = assertRefused(
        Reason.OTHER_CLUSTER, () -> DataDirectory.open(folder, 1, Optional.of(OTHER)));
    assertThat(refused).hasMessageContaining(CLUSTER).hasMessageContaining(OTHER);
    try (DataDirectory data = open(folder)) {
      assertThat(data.bootCount()).isEqualTo(2);
    }
  }

  @Test
  void aDirectoryIsOpenedOnceInAProcess() {
    try (DataDirectory data = open(folder)) {
      assertThat(assertRefused(Reason.LOCKED, () -> open(folder)))
          .hasMessageContaining("this process");
      assertThat(assertRefused(
              Reason.LOCKED, () -> open(folder.resolve("../" + folder.getFileName()))))
          .hasMessageContaining("this process");
      assertThat(data.bootCount()).isEqualTo(1);
    }
    open(folder).close();
  }

  @Test
  void aDirectoryOfALiveProcessIsRefusedWithItsNumberAndFreeOnceItIsKilled() throws Exception {
    Process holder = LockHolder.start(folder);
    try (BufferedReader said = holder.inputReader()) {
      assertThat(said.readLine()).isEqualTo("open");
      assertThat(assertRefused(Reason.LOCKED, () -> open(folder)))
          .hasMessageContaining("process " + holder.pid());
      assertRefused(Reason.LOCKED, () -> open(folder)); // a refusal leaves the lock where it is
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (DataDirectory data = open(folder)) {
      assertThat(data.bootCount()).isEqualTo(2);
    }
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertRefused(Reason.NOT_A_DIRECTORY, () -> open(file));
    assertThat(assertRefused(Reason.NOT_A_DIRECTORY, () -> open(file.resolve("below")))
            .path())
        .isEqualTo(file);
  }

  @Test
  void nothingIsWrittenIntoAFolderOfSomebodyElse() throws IOException {
    Files.writeString(folder.resolve("thesis.tex"), "x");
    assertThat(assertRefused(Reason.FOREIGN, () -> open(folder)))
        .hasMessageContaining("thesis.tex");
    assertThat(names()).containsExactly("thesis.tex");
  }

  @Test
  void aNewDiskIsAnEmptyFolder() throws IOException {
    Files.createDirectory(folder.resolve("lost+found"));
    open(folder).close();
  }

  @Test
  void aNewerFormatIsRefused() throws IOException {
    open(folder).close();
    var file = new RecordFile(folder.resolve(DataDirectory.FORMAT_FILE));
    var values = file.read();
    values.put("format", "2");
    values.put("novelty", "yes");
    file.write(values);
    assertThat(assertRefused(Reason.NEWER_FORMAT, () -> open(folder)))
        .hasMessageContaining("format 2")
        .hasMessageContaining("up to 1");
  }

  @Test
  void anyFlippedByteOfARecordIsFound() throws IOException {
    try (DataDirectory data = open(folder)) {
      data.joinCluster(CLUSTER);
      data.acceptGenesis("G");
    }
    for (String name : List.of(DataDirectory.FORMAT_FILE, DataDirectory.STATE_FILE)) {
      Path file = folder.resolve(name);
      byte[] good = Files.readAllBytes(file);
      for (int i = 0; i < good.length; i++) {
        byte[] bad = good.clone();
        bad[i] ^= (byte) (1 << (i % 8));
        Files.write(file, bad);
        assertThat(assertRefused(Reason.DAMAGED, () -> open(folder)).path()).isEqualTo(file);
        Files.write(file, java.util.Arrays.copyOf(good, i));
        assertRefused(Reason.DAMAGED, () -> open(folder));
      }
      Files.write(file, good);
    }
    open(folder).close();
  }

  @Test
  void aMissingRecordIsFound() throws IOException {
    try (DataDirectory data = open(folder)) {
      Files.writeString(data.log().resolve("1.log"), "x");
    }
    Path state = folder.resolve(DataDirectory.STATE_FILE);
    byte[] good = Files.readAllBytes(state);
    Files.delete(state);
    assertThat(assertRefused(Reason.DAMAGED, () -> open(folder))).hasMessageContaining("missing");
    Files.write(state, good);
    Files.delete(folder.resolve(DataDirectory.FORMAT_FILE));
    assertThat(assertRefused(Reason.DAMAGED, () -> open(folder))).hasMessageContaining("missing");
  }

  @Test
  void aCreationThatWasCutShortIsCompleted() throws IOException {
    try (DataDirectory data = open(folder.resolve("whole"))) {
      assertThat(data.bootCount()).isEqualTo(1);
    }
    Path format = folder.resolve("whole").resolve(DataDirectory.FORMAT_FILE);
    String uids = new RecordFile(format).read().get("stores");
    byte[] bytes = Files.readAllBytes(format);
    // What is on the disk, step by step.
    Path cut = Files.createDirectory(folder.resolve("cut"));
    completes(cut, Optional.empty());
    Files.createFile(cut.resolve(DirectoryLock.FILE));
    completes(cut, Optional.empty());
    Files.write(cut.resolve("partita.format.new"), java.util.Arrays.copyOf(bytes, 20));
    completes(cut, Optional.empty());
    Files.delete(cut.resolve("partita.format.new"));
    Files.write(cut.resolve(DataDirectory.FORMAT_FILE), bytes);
    completes(cut, Optional.of(uids));
    Files.createDirectory(cut.resolve("log"));
    completes(cut, Optional.of(uids));
    Files.createDirectory(cut.resolve("store"));
    Files.writeString(cut.resolve("partita.state.new"), "# Par");
    completes(cut, Optional.of(uids));
  }

  /** Opens a copy, so that the next step starts from the same state. */
  private void completes(Path cut, Optional<String> uids) throws IOException {
    Path copy = Files.createTempDirectory(folder, "copy");
    try (Stream<Path> entries = Files.list(cut)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        Files.copy(entry, copy.resolve(entry.getFileName()));
      }
    }
    try (DataDirectory data = open(copy)) {
      assertThat(data.bootCount()).isEqualTo(1);
      assertThat(data.storeUids()).hasSize(4);
      uids.ifPresent(known -> assertThat(String.join(",", data.storeUids())).isEqualTo(known));
      assertThat(List.of(data.log(), data.store(), data.snapshots(), data.tls()))
          .allMatch(Files::isDirectory);
    }
  }

  @Test
  void aFullDiskIsSaidAndWhatWasDecidedStays() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
      Path data = disk.folder().resolve("data");
      try (DataDirectory opened = open(data)) {
        opened.acceptGenesis("G");
        opened.reserveSlots(10);
        Path filler = disk.fill();
        assertRefused(Reason.NO_SPACE, () -> opened.reserveSlots(1));
        assertRefused(Reason.NO_SPACE, () -> opened.activateGenesis("G"));
        assertThat(opened.genesis().state()).isEqualTo(Genesis.State.ACCEPTED);
        Files.delete(filler);
        assertThat(opened.reserveSlots(1)).isEqualTo(11);
        disk.fill();
      }
      assertRefused(Reason.NO_SPACE, () -> open(data));
      Files.delete(disk.folder().resolve("filler"));
      try (DataDirectory opened = open(data)) {
        assertThat(opened.genesis().text()).isEqualTo("G");
        assertThat(opened.reserveSlots(1)).isEqualTo(12);
      }
    }
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsSaid() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
      Path data = disk.folder().resolve("data");
      open(data).close();
      disk.makeReadOnly();
      assertRefused(Reason.NO_PERMISSION, () -> open(data));
      assertRefused(Reason.NO_PERMISSION, () -> open(disk.folder().resolve("new")));
    }
  }

  @Test
  void aClosedDirectoryChangesNothing() {
    DataDirectory data = open(folder);
    data.close();
    data.close();
    assertThatThrownBy(() -> data.reserveSlots(1)).isInstanceOf(IllegalStateException.class);
    try (DataDirectory again = open(folder)) {
      assertThat(again.reserveSlots(1)).isEqualTo(1);
    }
  }

  @Test
  void slotsAreNeverGivenOutTwice() throws Exception {
    var slots = new HashSet<Long>();
    for (int i = 0; i < 5; i++) {
      try (DataDirectory data = open(folder)) {
        for (int j = 0; j < 5; j++) {
          assertThat(slots.add(data.reserveSlots(1))).isTrue();
        }
      }
    }
    assertThat(slots).contains(1L, 25L).hasSize(25);
  }

  /** What version 1 wrote is read for ever. */
  @Test
  void formatOneIsRead() throws Exception {
    Path golden =
        Path.of(DataDirectoryTest.class.getResource("/golden/directory-1").toURI());
    for (String name : List.of(DataDirectory.FORMAT_FILE, DataDirectory.STATE_FILE)) {
      Files.copy(golden.resolve(name), folder.resolve(name));
    }
    try (DataDirectory data = open(folder)) {
      assertThat(data.storeUids())
          .containsExactly("0f1e2d3c4b5a69788796a5b4c3d2e1f0", "00000000000000000000000000000002");
      assertThat(data.bootCount()).isEqualTo(18);
      assertThat(data.clusterId()).contains(CLUSTER);
      assertThat(data.genesis()).isEqualTo(new Genesis(Genesis.State.ACTIVE, "n1=0f1e\nn2=\\back"));
      assertThat(data.reserveSlots(1)).isEqualTo(43);
    }
  }

  private static DataDirectory open(Path directory) {
    return DataDirectory.open(directory, 4, Optional.empty());
  }

  private static DataDirectoryException assertRefused(Reason reason, ThrowingCallable call) {
    DataDirectoryException refused = catchThrowableOfType(DataDirectoryException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.reason()).as(refused.getMessage()).isEqualTo(reason);
    assertThat(refused.getMessage()).contains(": ").doesNotContain("\n");
    return refused;
  }

  private List<String> names() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
