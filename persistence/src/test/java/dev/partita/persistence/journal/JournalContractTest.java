package dev.partita.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.Actor;
import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.persistence.AtomicWrite;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.JournalProtocol;
import akka.persistence.Persistence;
import akka.persistence.PersistentEnvelope;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import akka.testkit.javadsl.TestKit;
import dev.partita.persistence.log.LogException;
import java.io.NotSerializableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;

/** What Akka Persistence demands of a journal, asked through the journal's own protocol. */
class JournalContractTest {
  private static final int INSTANCE = 7;
  private static final String WRITER = UUID.randomUUID().toString();

  @TempDir
  Path directory;

  private ActorSystem system;
  private ActorRef journal;
  private String id;

  @BeforeEach
  void start(TestInfo test) {
    id = test.getDisplayName();
    open();
    writeFive(id);
  }

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(system);
  }

  private void open() {
    system = ActorSystem.create("journal-contract", TestConfig.in(directory));
    journal = Persistence.get(system).journalFor("", system.settings().config());
  }

  private void reopen() {
    stop();
    open();
  }

  @ParameterizedTest
  @CsvSource({
    // from, to, max, first, last
    "1, 9223372036854775807, 9223372036854775807, 1, 5",
    "0, 9223372036854775807, 9223372036854775807, 1, 5",
    "3, 9223372036854775807, 9223372036854775807, 3, 5",
    "1, 3, 9223372036854775807, 1, 3",
    "1, 9223372036854775807, 3, 1, 3",
    "2, 3, 9223372036854775807, 2, 3",
    "2, 5, 2, 2, 3",
    "2, 2, 9223372036854775807, 2, 2",
    "2, 4, 1, 2, 2",
    "2, 4, 0, 1, 0",
    "3, 2, 9223372036854775807, 1, 0",
  })
  void replaysWithinBounds(long from, long to, long max, long first, long last) {
    assertThat(replay(id, from, to, max)).isEqualTo(new Replayed(events(first, last), 5));
    reopen();
    assertThat(replay(id, from, to, max)).isEqualTo(new Replayed(events(first, last), 5));
  }

  @Test
  void replaysNothingOfAnUnknownPersistenceId() {
    assertThat(replay("unknown")).isEqualTo(new Replayed(List.of(), 0));
  }

  @Test
  void replaysTheWholeEventButItsSender() {
    var event = replayedReprs(id).get(3);
    assertThat(event.persistenceId()).isEqualTo(id);
    assertThat(event.sequenceNr()).isEqualTo(4);
    assertThat(event.writerUuid()).isEqualTo(WRITER);
    assertThat(event.sender()).isEqualTo(Actor.noSender());
    assertThat(event.deleted()).isFalse();
    assertThat(event.timestamp())
        .isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
    assertThat(event.metadata().isEmpty()).isTrue();
  }

  @Test
  void keepsPersistenceIdsApart() {
    writeFive(id + "2");
    delete(id + "2", 4);
    assertThat(replay(id)).isEqualTo(new Replayed(events(1, 5), 5));
    assertThat(replay(id + "2")).isEqualTo(new Replayed(events(5, 5), 5));
  }

  @Test
  void deletesARange() {
    delete(id, 3);
    assertThat(replay(id)).isEqualTo(new Replayed(events(4, 5), 5));
    reopen();
    assertThat(replay(id)).isEqualTo(new Replayed(events(4, 5), 5));
  }

  @Test
  void deletesEverythingButTheHighestSequenceNumber() {
    delete(id, Long.MAX_VALUE);
    assertThat(replay(id)).isEqualTo(new Replayed(List.of(), 5));
    reopen();
    assertThat(replay(id)).isEqualTo(new Replayed(List.of(), 5));
    write(id, repr(id, 6, "a-6"));
    assertThat(replay(id)).isEqualTo(new Replayed(events(6, 6), 6));
  }

  @Test
  void deletesWhereThereIsNothing() {
    delete("unknown", Long.MAX_VALUE);
    assertThat(replay("unknown")).isEqualTo(new Replayed(List.of(), 0));
  }

  @Test
  void rejectsWhatItCannotSerialiseAndWritesTheRest() {
    var probe = new TestKit(system);
    var poison = new Object();
    tellWrite(
        probe,
        List.of(
            atomic(repr(id, 6, "b-6")), atomic(repr(id, 7, poison)), atomic(repr(id, 8, "b-8"))));
    probe.expectMsgEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    assertThat(success(probe).sequenceNr()).isEqualTo(6);
    var rejected = probe.expectMsgClass(JournalProtocol.WriteMessageRejected.class);
    assertThat(rejected.cause()).isInstanceOf(NotSerializableException.class);
    assertThat(rejected.message().payload()).isSameAs(poison);
    assertThat(success(probe).sequenceNr()).isEqualTo(8);
    assertThat(replay(id, 6, Long.MAX_VALUE, 9)).isEqualTo(new Replayed(List.of("b-6", "b-8"), 8));
  }

  @Test
  void rejectsAnAtomicWriteAsAWhole() {
    var probe = new TestKit(system);
    tellWrite(probe, List.of(atomic(repr(id, 6, "b-6"), repr(id, 7, new Object()))));
    probe.expectMsgEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    probe.expectMsgClass(JournalProtocol.WriteMessageRejected.class);
    probe.expectMsgClass(JournalProtocol.WriteMessageRejected.class);
    assertThat(replay(id)).isEqualTo(new Replayed(events(1, 5), 5));
  }

  @Test
  void rejectsWhatNoSegmentCanHold() {
    var probe = new TestKit(system);
    tellWrite(
        probe,
        List.of(
            atomic(repr(id, 6, "x".repeat(TestConfig.SEGMENT_BYTES))),
            atomic(repr(id, 7, "x".repeat(TestConfig.SEGMENT_BYTES / 2))),
            atomic(repr(id, 8, "x".repeat(TestConfig.SEGMENT_BYTES / 2)))));
    probe.expectMsgEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    probe.expectMsgClass(JournalProtocol.WriteMessageRejected.class);
    assertThat(success(probe).sequenceNr()).isEqualTo(7);
    assertThat(success(probe).sequenceNr()).isEqualTo(8);
    assertThat(replay(id, 6, 9, 9).highest()).isEqualTo(8);
  }

  @Test
  void keepsMetadataManifestAndWriter() {
    write(
        id,
        PersistentRepr.apply("m-6", 6, id, "manifest", false, Actor.noSender(), "not a uuid")
            .withMetadata("meta"));
    reopen();
    var event = replayedReprs(id).get(5);
    assertThat(event.metadata().get()).isEqualTo("meta");
    assertThat(event.manifest()).isEqualTo("manifest");
    assertThat(event.writerUuid()).isEqualTo("not a uuid");
    assertThat(event.payload()).isEqualTo("m-6");
  }

  @Test
  void serialisesWithTheAddressOfTheSystem() {
    var probe = new TestKit(system);
    write(id, repr(id, 6, new TestConfig.Mention(probe.getRef())));
    assertThat(replayedReprs(id).get(5).payload())
        .isEqualTo(new TestConfig.Mention(probe.getRef()));
  }

  @Test
  void aTaggedEventIsStoredWithoutItsTags() {
    write(id, repr(id, 6, new Tagged("t-6", tags("red", "blue"))));
    reopen();
    assertThat(replay(id, 6, 6, 1)).isEqualTo(new Replayed(List.of("t-6"), 6));
  }

  @Test
  void aTagReplacesTheHistoryBeforeTheEvent() {
    write(id, repr(id, 6, new Tagged("s-6", tags("partita:replaces-history", "red"))));
    write(id, repr(id, 7, "a-7"));
    assertThat(replay(id)).isEqualTo(new Replayed(List.of("s-6", "a-7"), 7));
    reopen();
    assertThat(replay(id)).isEqualTo(new Replayed(List.of("s-6", "a-7"), 7));
  }

  @Test
  void aReplacementInsideAnAtomicWriteKeepsWhatFollowsIt() {
    write(
        id,
        repr(id, 6, "a-6"),
        repr(id, 7, new Tagged("s-7", tags("partita:replaces-history"))),
        repr(id, 8, "a-8"));
    assertThat(replay(id)).isEqualTo(new Replayed(List.of("s-7", "a-8"), 8));
  }

  @Test
  void aSecondWriterFails() {
    var probe = new TestKit(system);
    tellWrite(probe, List.of(atomic(repr(id, 5, "theirs"))));
    var failed = probe.expectMsgClass(JournalProtocol.WriteMessagesFailed.class);
    assertThat(failed.cause()).isInstanceOf(LogException.SecondWriter.class);
    assertThat(replay(id)).isEqualTo(new Replayed(events(1, 5), 5));
  }

  @Test
  void writesOfOnePersistenceIdFailOnCommandAndHeal() {
    var faults = PartitaLog.get(system).log().faults();
    faults.failWritesOf(id);
    var probe = new TestKit(system);
    tellWrite(probe, List.of(atomic(repr(id, 6, "a-6"))));
    assertThat(probe.expectMsgClass(JournalProtocol.WriteMessagesFailed.class).cause())
        .isInstanceOf(LogException.Injected.class);
    write("other", repr("other", 1, "fine"));
    faults.heal(id);
    write(id, repr(id, 6, "a-6"));
  }

  private record Replayed(List<Object> events, long highest) {}

  private void writeFive(String persistenceId) {
    var probe = new TestKit(system);
    var sender = new TestKit(system).getRef();
    var messages = new ArrayList<AtomicWrite>();
    for (int i = 1; i <= 3; i++) {
      messages.add(atomic(repr(persistenceId, i, "a-" + i, sender)));
    }
    messages.add(
        atomic(repr(persistenceId, 4, "a-4", sender), repr(persistenceId, 5, "a-5", sender)));
    tellWrite(probe, messages);
    probe.expectMsgEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    for (int i = 1; i <= 5; i++) {
      var written = success(probe);
      assertThat(written.sequenceNr()).isEqualTo(i);
      assertThat(written.payload()).isEqualTo("a-" + i);
      assertThat(written.sender()).isEqualTo(sender);
      assertThat(written.writerUuid()).isEqualTo(WRITER);
    }
  }

  private void write(String persistenceId, PersistentRepr... events) {
    var probe = new TestKit(system);
    tellWrite(probe, List.of(atomic(events)));
    probe.expectMsgEquals(JournalProtocol.WriteMessagesSuccessful$.MODULE$);
    for (PersistentRepr event : events) {
      var written = success(probe);
      assertThat(written.persistenceId()).isEqualTo(persistenceId);
      assertThat(written.sequenceNr()).isEqualTo(event.sequenceNr());
    }
  }

  private static PersistentRepr success(TestKit probe) {
    return probe.expectMsgClass(JournalProtocol.WriteMessageSuccess.class).persistent();
  }

  private void tellWrite(TestKit probe, List<AtomicWrite> messages) {
    journal.tell(
        new JournalProtocol.WriteMessages(
            CollectionConverters.asScala(List.<PersistentEnvelope>copyOf(messages))
                .toList(),
            probe.getRef(),
            INSTANCE),
        probe.getRef());
  }

  private void delete(String persistenceId, long to) {
    var probe = new TestKit(system);
    journal.tell(
        new JournalProtocol.DeleteMessagesTo(persistenceId, to, probe.getRef()), probe.getRef());
    assertThat(probe.expectMsgClass(DeleteMessagesSuccess.class).toSequenceNr()).isEqualTo(to);
  }

  private Replayed replay(String persistenceId) {
    return replay(persistenceId, 1, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private Replayed replay(String persistenceId, long from, long to, long max) {
    var payloads = new ArrayList<Object>();
    long highest = replay(persistenceId, from, to, max, payloads, new ArrayList<>());
    return new Replayed(payloads, highest);
  }

  private List<PersistentRepr> replayedReprs(String persistenceId) {
    var events = new ArrayList<PersistentRepr>();
    replay(persistenceId, 1, Long.MAX_VALUE, Long.MAX_VALUE, new ArrayList<>(), events);
    return events;
  }

  private long replay(
      String persistenceId,
      long from,
      long to,
      long max,
      List<Object> payloads,
      List<PersistentRepr> events) {
    var probe = new TestKit(system);
    journal.tell(
        new JournalProtocol.ReplayMessages(from, to, max, persistenceId, probe.getRef()),
        probe.getRef());
    while (true) {
      var message = probe.receiveOne(java.time.Duration.ofSeconds(10));
      if (message instanceof JournalProtocol.RecoverySuccess success) {
        return success.highestSequenceNr();
      }
      assertThat(message).isInstanceOf(JournalProtocol.ReplayedMessage.class);
      var event = ((JournalProtocol.ReplayedMessage) message).persistent();
      payloads.add(event.payload());
      events.add(event);
    }
  }

  private static AtomicWrite atomic(PersistentRepr... events) {
    return AtomicWrite.apply(CollectionConverters.asScala(List.of(events)).toList());
  }

  private static PersistentRepr repr(String persistenceId, long sequenceNr, Object payload) {
    return repr(persistenceId, sequenceNr, payload, Actor.noSender());
  }

  private static PersistentRepr repr(
      String persistenceId, long sequenceNr, Object payload, ActorRef sender) {
    return PersistentRepr.apply(payload, sequenceNr, persistenceId, "", false, sender, WRITER);
  }

  private static List<Object> events(long from, long to) {
    return LongStream.rangeClosed(from, to).<Object>mapToObj(i -> "a-" + i).toList();
  }

  private static scala.collection.immutable.Set<String> tags(String... tags) {
    return CollectionConverters.asScala(Set.of(tags)).toSet();
  }
}
