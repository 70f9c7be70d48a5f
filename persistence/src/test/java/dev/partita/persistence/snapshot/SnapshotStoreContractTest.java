package dev.partita.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.DeleteSnapshotSuccess;
import akka.persistence.DeleteSnapshotsSuccess;
import akka.persistence.Persistence;
import akka.persistence.SaveSnapshotFailure;
import akka.persistence.SaveSnapshotSuccess;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotProtocol;
import akka.persistence.SnapshotSelectionCriteria;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import dev.partita.persistence.journal.TestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.jdk.javaapi.OptionConverters;

/** What Akka Persistence demands of a snapshot store, asked through the store's own protocol. */
class SnapshotStoreContractTest {
  private static final String ID = "p-1";
  private static final SnapshotSelectionCriteria LATEST = SnapshotSelectionCriteria.latest();

  @TempDir
  Path directory;

  private ActorSystem system;
  private ActorRef store;
  private TestKit probe;
  private final List<SnapshotMetadata> saved = new ArrayList<>();

  @BeforeEach
  void start() {
    open();
    for (int i = 1; i <= 5; i++) {
      saved.add(save(SnapshotMetadata.apply(ID, i + 10), "s-" + i));
    }
  }

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(system);
  }

  private void open() {
    var config = ConfigFactory.parseString("""
                akka.persistence.snapshot-store.plugin = partita.persistence.snapshot-store
                partita.persistence.snapshot-store.directory = "%s"
                """.formatted(snapshots()))
        .withFallback(TestConfig.in(directory));
    system = ActorSystem.create("snapshot-contract", config);
    store = Persistence.get(system).snapshotStoreFor("", config);
    probe = new TestKit(system);
  }

  @Test
  void loadsNothingForAnUnknownPersistenceId() {
    assertThat(load("unknown", LATEST, Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void loadsNothingThatDoesNotMatch() {
    assertThat(load(ID, criteria(Long.MAX_VALUE, 100), Long.MAX_VALUE)).isEmpty();
    assertThat(load(ID, criteria(7, Long.MAX_VALUE), Long.MAX_VALUE)).isEmpty();
    assertThat(load(ID, LATEST, 7)).isEmpty();
  }

  @Test
  void loadsTheNewestThatMatches() {
    assertThat(load(ID, LATEST, Long.MAX_VALUE)).contains(selected(4));
    assertThat(load(ID, criteria(13, Long.MAX_VALUE), Long.MAX_VALUE)).contains(selected(2));
    assertThat(load(ID, LATEST, 13)).contains(selected(2));
    long timestamp = saved.get(2).timestamp();
    assertThat(load(ID, criteria(13, timestamp), Long.MAX_VALUE)).contains(selected(2));
    assertThat(load(ID, criteria(Long.MAX_VALUE, timestamp), 13)).contains(selected(2));
  }

  @Test
  void snapshotsAreThereAfterARestart() {
    stop();
    open();
    assertThat(load(ID, LATEST, Long.MAX_VALUE)).contains(selected(4));
  }

  @Test
  void deletesOneWhateverItsTimestampIfNoneIsGiven() {
    tell(new SnapshotProtocol.DeleteSnapshot(new SnapshotMetadata(ID, 13, 0)));
    probe.expectMsgClass(DeleteSnapshotSuccess.class);
    assertThat(load(ID, criteria(13, Long.MAX_VALUE), Long.MAX_VALUE)).contains(selected(1));
  }

  @Test
  void deletesOneOnlyIfItsTimestampIsTheGivenOne() {
    tell(new SnapshotProtocol.DeleteSnapshot(new SnapshotMetadata(ID, 13, 1)));
    probe.expectMsgClass(DeleteSnapshotSuccess.class);
    assertThat(load(ID, criteria(13, Long.MAX_VALUE), Long.MAX_VALUE)).contains(selected(2));
    tell(new SnapshotProtocol.DeleteSnapshot(saved.get(2)));
    probe.expectMsgClass(DeleteSnapshotSuccess.class);
    assertThat(load(ID, criteria(13, Long.MAX_VALUE), Long.MAX_VALUE)).contains(selected(1));
  }

  @Test
  void deletesAllThatMatchAndNoOthers() {
    var upToThird = criteria(saved.get(2).sequenceNr(), saved.get(2).timestamp());
    tell(new SnapshotProtocol.DeleteSnapshots(ID, upToThird));
    assertThat(probe.expectMsgClass(DeleteSnapshotsSuccess.class).criteria()).isEqualTo(upToThird);
    assertThat(load(ID, upToThird, Long.MAX_VALUE)).isEmpty();
    assertThat(load(ID, LATEST, 14)).contains(selected(3));
  }

  @Test
  void doesNotDeleteWhatIsNewerThanAskedFor() {
    tell(new SnapshotProtocol.DeleteSnapshots(ID, criteria(14, saved.get(3).timestamp() - 60_000)));
    probe.expectMsgClass(DeleteSnapshotsSuccess.class);
    assertThat(load(ID, LATEST, 14)).contains(selected(3));
  }

  @Test
  void replacesASnapshotWithTheSameSequenceNumber() throws IOException {
    save(saved.get(4), "s-5-modified");
    var loaded = load(ID, criteria(15, Long.MAX_VALUE), Long.MAX_VALUE).orElseThrow();
    assertThat(loaded.snapshot()).isEqualTo("s-5-modified");
    assertThat(files()).hasSize(5);
  }

  @Test
  void savesBigSnapshots() {
    save(SnapshotMetadata.apply(ID, 100), "0".repeat(1 << 20));
    assertThat(load(ID, LATEST, Long.MAX_VALUE).orElseThrow().snapshot())
        .isEqualTo("0".repeat(1 << 20));
  }

  @Test
  void keepsMetadata() {
    save(new SnapshotMetadata(ID, 100, Option.apply("meta")), "s-100");
    assertThat(
            load(ID, LATEST, Long.MAX_VALUE).orElseThrow().metadata().metadata().get())
        .isEqualTo("meta");
  }

  @Test
  void serialisesWithTheAddressOfTheSystem() {
    var mention = new TestConfig.Mention(probe.getRef());
    save(SnapshotMetadata.apply(ID, 100), mention);
    assertThat(load(ID, LATEST, Long.MAX_VALUE).orElseThrow().snapshot()).isEqualTo(mention);
  }

  @Test
  void failsToSaveWhatItCannotSerialise() {
    tell(new SnapshotProtocol.SaveSnapshot(SnapshotMetadata.apply(ID, 100), new Object()));
    probe.expectMsgClass(SaveSnapshotFailure.class);
    assertThat(load(ID, LATEST, Long.MAX_VALUE)).contains(selected(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "..", "é漢😀", "a|b~c\u0000d", "A", "a"})
  void aPersistenceIdMayHaveAnyCharacters(String id) {
    save(SnapshotMetadata.apply(id, 1), "of " + id);
    save(SnapshotMetadata.apply(id + "x", 1), "another");
    assertThat(load(id, LATEST, Long.MAX_VALUE).orElseThrow().snapshot()).isEqualTo("of " + id);
  }

  @Test
  void anyDamageOfTheNewestFallsBackToTheOneBefore() throws IOException {
    var newest = files().stream()
        .filter(f -> f.getFileName().toString().startsWith("15-"))
        .findAny();
    byte[] whole = Files.readAllBytes(newest.orElseThrow());
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Files.write(newest.get(), damaged);
      assertThat(load(ID, LATEST, Long.MAX_VALUE)).as("byte %d", at).contains(selected(3));
    }
    Files.write(newest.get(), new byte[0]);
    assertThat(load(ID, LATEST, Long.MAX_VALUE)).contains(selected(3));
    Files.write(newest.get(), whole);
    assertThat(load(ID, LATEST, Long.MAX_VALUE)).contains(selected(4));
  }

  @Test
  void failsIfNothingThatMatchesIsReadable() throws IOException {
    for (Path file : files()) {
      Files.write(file, new byte[] {1});
    }
    tell(new SnapshotProtocol.LoadSnapshot(ID, LATEST, Long.MAX_VALUE));
    probe.expectMsgClass(SnapshotProtocol.LoadSnapshotFailed.class);
  }

  private Path snapshots() {
    return directory.resolve("snapshots");
  }

  private List<Path> files() throws IOException {
    try (var files = Files.walk(snapshots())) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private SelectedSnapshot selected(int at) {
    return SelectedSnapshot.create(saved.get(at), "s-" + (at + 1));
  }

  private SnapshotMetadata save(SnapshotMetadata metadata, Object snapshot) {
    tell(new SnapshotProtocol.SaveSnapshot(metadata, snapshot));
    return probe.expectMsgClass(SaveSnapshotSuccess.class).metadata();
  }

  private Optional<SelectedSnapshot> load(
      String id, SnapshotSelectionCriteria criteria, long toSequenceNr) {
    tell(new SnapshotProtocol.LoadSnapshot(id, criteria, toSequenceNr));
    var result = probe.expectMsgClass(SnapshotProtocol.LoadSnapshotResult.class);
    assertThat(result.toSequenceNr()).isEqualTo(toSequenceNr);
    return OptionConverters.toJava(result.snapshot());
  }

  private void tell(Object message) {
    store.tell(message, probe.getRef());
  }

  private static SnapshotSelectionCriteria criteria(long maxSequenceNr, long maxTimestamp) {
    return SnapshotSelectionCriteria.create(maxSequenceNr, maxTimestamp);
  }
}
