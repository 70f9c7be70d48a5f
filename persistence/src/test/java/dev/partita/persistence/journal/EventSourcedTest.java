package dev.partita.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import akka.persistence.typed.javadsl.RetentionCriteria;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.partita.persistence.log.LogException;
import dev.partita.persistence.log.LogSettings;
import dev.partita.persistence.log.SegmentedLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Persistent actors over journal and snapshot store, through restarts of their system. */
class EventSourcedTest {

  @TempDir
  Path directory;

  private ActorTestKit kit;

  @BeforeEach
  void start() {
    kit = ActorTestKit.create("event-sourced", config());
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  private void restart() {
    stop();
    start();
  }

  private Config config() {
    return ConfigFactory.parseString("""
            akka.persistence.snapshot-store.plugin = partita.persistence.snapshot-store
            partita.persistence.snapshot-store.directory = "%s"
            akka.actor.allow-java-serialization = on
            akka.actor.warn-about-java-serializer-usage = off
            """.formatted(directory.resolve("snapshots")))
        .withFallback(TestConfig.in(directory));
  }

  @Test
  void stateSurvivesARestart() {
    var list = kit.spawn(Words.create("words"));
    add(list, "one");
    add(list, "two", "three");
    restart();
    list = kit.spawn(Words.create("words"));
    assertThat(words(list)).containsExactly("one", "two", "three");
    add(list, "four");
    restart();
    assertThat(words(kit.spawn(Words.create("words")))).hasSize(4);
  }

  @Test
  void manyActorsWriteAtOnce() {
    var probe = kit.<Integer>createTestProbe();
    for (int i = 0; i < 200; i++) {
      var list = kit.spawn(Words.create("words-" + i));
      for (int n = 0; n < 5; n++) {
        list.tell(new Words.Add(List.of("a" + n, "b" + n), probe.getRef()));
      }
    }
    probe.receiveSeveralMessages(1000, Duration.ofSeconds(30));
    var stats = PartitaLog.get(kit.system()).log().stats();
    assertThat(stats.records()).isEqualTo(2000);
    assertThat(stats.batches()).isLessThan(1000);
    restart();
    for (int i = 0; i < 200; i += 50) {
      assertThat(words(kit.spawn(Words.create("words-" + i)))).hasSize(10).startsWith("a0", "b0");
    }
  }

  @Test
  void snapshotsReplaceEvents() {
    var list = kit.spawn(Words.create("kept"));
    for (int i = 0; i < 25; i++) {
      add(list, "w" + i);
    }
    restart();
    list = kit.spawn(Words.create("kept"));
    assertThat(words(list)).hasSize(25).endsWith("w24");
    add(list, "w25");
  }

  @Test
  void anEventThatIsTaggedSoReplacesTheHistory() {
    var list = kit.spawn(Words.create("replaced"));
    add(list, "one");
    add(list, "two");
    add(list, "reset:three");
    add(list, "four");
    assertThat(PartitaLog.get(kit.system()).log().stats().liveBytes()).isLessThan(1000);
    restart();
    assertThat(words(kit.spawn(Words.create("replaced")))).containsExactly("three", "four");
  }

  @Test
  void aFailedWriteStopsTheActorAndNobodyElse() {
    var faults = PartitaLog.get(kit.system()).log().faults();
    var victim = kit.spawn(Words.create("victim"));
    var other = kit.spawn(Words.create("other"));
    add(victim, "before");
    faults.failWritesOf("victim");
    victim.tell(new Words.Add(List.of("lost"), kit.<Integer>createTestProbe().getRef()));
    kit.createTestProbe().expectTerminated(victim);
    add(other, "fine");
    faults.heal("victim");
    victim = kit.spawn(Words.create("victim"));
    assertThat(words(victim)).containsExactly("before");
    add(victim, "after");
  }

  @Test
  void allOfOneJvmShareTheLogOfADirectory() {
    var second = ActorTestKit.create("second", config());
    var log = PartitaLog.get(kit.system()).log();
    assertThat(PartitaLog.get(second.system()).log()).isSameAs(log);
    assertThatThrownBy(() -> SegmentedLog.open(LogSettings.in(log.settings().directory())))
        .isInstanceOf(LogException.Locked.class);
    stop();
    kit = second;
    add(kit.spawn(Words.create("words")), "still open");
    stop();
    SegmentedLog.open(LogSettings.in(directory.resolve("journal"))).close(); // given free
  }

  private void add(ActorRef<Words.Command> list, String... words) {
    var probe = kit.<Integer>createTestProbe();
    list.tell(new Words.Add(List.of(words), probe.getRef()));
    probe.receiveMessage();
  }

  private List<String> words(ActorRef<Words.Command> list) {
    var probe = kit.<List<String>>createTestProbe();
    list.tell(new Words.Get(probe.getRef()));
    return probe.receiveMessage();
  }

  /** A list of words that grows, and is begun anew by a word with the prefix "reset:". */
  private static final class Words
      extends EventSourcedBehavior<Words.Command, String, List<String>> {
    private static final String RESET = "reset:";

    sealed interface Command {}

    record Add(List<String> words, ActorRef<Integer> replyTo) implements Command {}

    record Get(ActorRef<List<String>> replyTo) implements Command {}

    static Behavior<Command> create(String id) {
      return new Words(id);
    }

    private Words(String id) {
      super(PersistenceId.ofUniqueId(id));
    }

    @Override
    public List<String> emptyState() {
      return new ArrayList<>();
    }

    @Override
    public CommandHandler<Command, String, List<String>> commandHandler() {
      return newCommandHandlerBuilder()
          .forAnyState()
          .onCommand(
              Add.class,
              add -> Effect().persist(add.words).thenRun(state -> add.replyTo.tell(state.size())))
          .onCommand(
              Get.class,
              (state, get) -> Effect().none().thenRun(s -> get.replyTo.tell(List.copyOf(s))))
          .build();
    }

    @Override
    public EventHandler<List<String>, String> eventHandler() {
      return (state, word) -> {
        var next = word.startsWith(RESET) ? new ArrayList<String>() : new ArrayList<>(state);
        next.add(word.startsWith(RESET) ? word.substring(RESET.length()) : word);
        return next;
      };
    }

    @Override
    public Set<String> tagsFor(String word) {
      return word.startsWith(RESET) ? Set.of("partita:replaces-history") : Set.of();
    }

    @Override
    public RetentionCriteria retentionCriteria() {
      return RetentionCriteria.snapshotEvery(10, 1).withDeleteEventsOnSnapshot();
    }
  }
}
