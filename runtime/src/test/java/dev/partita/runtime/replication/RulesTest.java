package dev.partita.runtime.replication;

import static dev.partita.runtime.replication.ReplicaSet.CLUSTER;
import static dev.partita.runtime.replication.ReplicaSet.epoch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.ReplicaSet.Disk;
import dev.partita.runtime.replication.ReplicaSet.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Worked examples of single rules: {@code rules.script}, commands above the line, what they say below it. */
class RulesTest {
  private static final ReplicaSettings SETTINGS = new ReplicaSettings(1 << 20, 1, 1, 1 << 20);

  private record Example(String rule, List<String> commands, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private Disk disk = new Disk(Node.A.id(), SETTINGS);

  static Stream<Example> examples() throws IOException {
    try (var in = RulesTest.class.getResourceAsStream("/replication/rules.script")) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.split("\n\n", -1)).map(RulesTest::example);
    }
  }

  private static Example example(String text) {
    var halves = text.strip().split("\n----\n", -1);
    var lines = halves[0].lines().toList();
    return new Example(lines.get(0).substring(2), lines.subList(1, lines.size()), halves[1]);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void holds(Example example) {
    var said = example.commands().stream().map(this::run).collect(Collectors.joining("\n"));
    assertThat(said).isEqualTo(example.expected());
  }

  private String run(String command) {
    var words = command.split(" ", -1);
    Map<String, String> arguments = new HashMap<>();
    for (int i = 1; i < words.length; i++) {
      var pair = words[i].split("=", -1);
      arguments.put(pair[0], pair[1]);
    }
    return switch (words[0]) {
      case "quorum" -> quorum(number(arguments, "n"));
      case "joint" -> joint(arguments);
      case "replica" -> replica(arguments);
      case "prepare" ->
        ask(new ToReplica.Prepare(
            CLUSTER, ReplicaSet.PARTITION, epoch(number(arguments, "epoch"))));
      case "append" -> ask(append(arguments));
      case "confirm" ->
        ask(new ToReplica.Confirm(CLUSTER, disk.id, epoch(number(arguments, "epoch")), 1));
      case "fetch" ->
        ask(new ToReplica.Fetch(
            CLUSTER,
            disk.id,
            epoch(number(arguments, "epoch")),
            new Lsn(number(arguments, "from")),
            1 << 20));
      case "rebase" -> rebase(number(arguments, "synced"));
      case "restart" -> restart(arguments.get("stored"));
      default -> throw new IllegalArgumentException(command);
    };
  }

  private static String quorum(long n) {
    var ids = new ArrayList<ReplicaId>();
    for (int i = 0; i < n; i++) {
      ids.add(new ReplicaId(ReplicaSet.PARTITION, new Uid(i, 0), 1));
    }
    var simple = Configuration.of(ids);
    return "write " + simple.writeQuorum() + " read " + simple.readQuorum();
  }

  private static String joint(Map<String, String> arguments) {
    var joint = new Configuration.Joint(
        Configuration.of(ids(arguments.get("from"))), Configuration.of(ids(arguments.get("to"))));
    assertThat(Configuration.decode(joint.encode())).isEqualTo(joint);
    var holds = ids(arguments.get("holds"));
    return "write " + joint.isWriteQuorum(holds::contains) + " read "
        + joint.isReadQuorum(holds::contains);
  }

  private static List<ReplicaId> ids(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(name -> new ReplicaId(ReplicaSet.PARTITION, new Uid(name.charAt(0), 0), 1))
        .toList();
  }

  private String replica(Map<String, String> arguments) {
    disk = new Disk(Node.A.id(), SETTINGS);
    disk.queue.add(disk.replica.initialVoter(ReplicaSet.ALL, 1).orElseThrow());
    for (var entry : entries(arguments.get("log"))) {
      var log = disk.replica.state().installed().log();
      long last = log.last();
      disk.ask(new ToReplica.Append(
          CLUSTER,
          disk.id,
          entry.epoch(),
          new Lsn(last),
          log.epochAt(last),
          List.of(entry),
          new Lsn(number(arguments, "commit")),
          1));
    }
    disk.applyAll();
    return state();
  }

  private ToReplica.Append append(Map<String, String> arguments) {
    var prev = arguments.get("prev").split("/", -1);
    return new ToReplica.Append(
        CLUSTER,
        disk.id,
        epoch(number(arguments, "epoch")),
        new Lsn(Long.parseLong(prev[0])),
        prev[1].equals("0") ? Epoch.ZERO : epoch(Long.parseLong(prev[1])),
        entries(arguments.getOrDefault("entries", "")),
        new Lsn(number(arguments, "commit")),
        1);
  }

  private static List<Entry> entries(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1))
            .map(entry -> entry.split("/", -1))
            .map(pair -> ReplicaSet.entry(Long.parseLong(pair[0]), Long.parseLong(pair[1])))
            .toList();
  }

  private String ask(ToReplica message) {
    return said(disk.ask(message)) + " | " + state();
  }

  private static String said(FromReplica answer) {
    if (answer instanceof FromReplica.Promise promise) {
      return "promise " + promise.lastLsn() + "/" + promise.lastEpoch().counter();
    } else if (answer instanceof FromReplica.Refused refused) {
      return "refused " + refused.reason() + " promised " + refused.promised().counter();
    } else if (answer instanceof FromReplica.Appended appended) {
      return "appended " + appended.match();
    } else if (answer instanceof FromReplica.Mismatched mismatched) {
      return "mismatched " + mismatched.hint();
    } else if (answer instanceof FromReplica.Fetched fetched) {
      return "fetched "
          + fetched.entries().stream()
              .map(entry -> entry.lsn() + "/" + entry.epoch().counter())
              .collect(Collectors.joining(" "));
    }
    return "confirmed";
  }

  private String state() {
    return disk.replica
        .quarantined()
        .map(why -> "quarantined: " + why)
        .orElseGet(() -> "log " + disk.log() + " commit " + disk.replica.commit() + " promised "
            + disk.replica.promised().counter());
  }

  private String rebase(long synced) {
    disk.replica.rebase(new Lsn(synced)).ifPresent(disk.queue::add);
    disk.flush();
    return "base " + disk.replica.base().lsn();
  }

  private String restart(String stored) {
    var mark = stored.split("/", -1);
    disk.stored = Optional.of(new Base(
        new Lsn(Long.parseLong(mark[0])),
        epoch(Long.parseLong(mark[1])),
        ReplicaSet.ALL,
        Lsn.ZERO,
        0,
        1));
    disk.restart();
    disk.flush();
    return state();
  }

  private static long number(Map<String, String> arguments, String name) {
    return Long.parseLong(arguments.get(name));
  }
}
