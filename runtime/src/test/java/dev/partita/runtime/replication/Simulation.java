package dev.partita.runtime.replication;

import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One replica set in virtual time (replication.md section 17). The seed draws which faults there are, how
 * often, and everything else; the {@link Observer} checks after every event.
 */
final class Simulation {
  static final Uid CLUSTER = new Uid(7, 7);
  static final PhysicalPartitionId PARTITION = new PhysicalPartitionId(5);
  private static final int MEMBERS = 4;
  private static final int NODES = 5;
  private static final int KEYS = 3;

  private record Event(long at, long order, Runnable work) {}

  final Random random;
  final Observer observer;
  final ReplicaSettings replicaSettings;
  final PrimarySettings primarySettings;
  final Configuration first;
  final boolean oneAtATime;
  /** What travels in snapshots. */
  final Map<Uid, SimStore.Copy> transfers = new HashMap<>();

  private final List<SimNode> nodes = new ArrayList<>();
  private final List<SimNode> members = new ArrayList<>();
  private final List<SimPrimary> primaries = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>((a, b) ->
      a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
  private final Map<Integer, Long> cuts = new HashMap<>();
  private final @Nullable List<String> trace;
  private final int primariesMax;
  private final double delayMillis;
  private final double crashMillis;
  private final double cutMillis;
  private final double takeOverMillis;
  private final double crashAfterAnswer;
  private double loss;
  private double duplication;
  private double delayed;
  private double strays;
  private double refusalLoss;
  private boolean chaos = true;
  private boolean busy = true;
  private long now;
  private long order;
  private long values;
  private int shells;
  private int steps;

  Simulation(long seed, @Nullable List<String> trace) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.trace = trace;
    loss = pick(0, 0, 0.01, 0.1, 0.3);
    duplication = pick(0, 0.02, 0.2);
    delayed = pick(0, 0.01, 0.1);
    strays = pick(0, 0, 0.01);
    refusalLoss = pick(0, 0, 0.9, 1); // so that deposed primaries live on
    delayMillis = pick(1, 5, 30);
    crashMillis = pick(0, 800, 3_000, 10_000);
    crashAfterAnswer = crashMillis > 0 ? pick(0, 0.0005, 0.005) : 0;
    cutMillis = pick(0, 1_000, 4_000);
    takeOverMillis = pick(500, 2_000, 6_000);
    primariesMax = 1 + random.nextInt(3);
    oneAtATime = random.nextBoolean();
    replicaSettings = new ReplicaSettings(
        1 << 20, (long) pick(200, 1_000, 100_000), (int) pick(2, 20, 10_000), (long)
            pick(0, 500, 5_000));
    primarySettings = new PrimarySettings(
        100,
        (long) pick(0, 300, 3_000),
        (long) pick(500, 3_000),
        50,
        1_000,
        10_000,
        (int) pick(1, 2, 4),
        (int) pick(2, 8, 64),
        (long) pick(150, 128 << 10),
        (long) pick(0, 500, 1 << 20),
        (long) pick(100, 2_000),
        700);
    var ids = new ArrayList<ReplicaId>();
    for (int i = 0; i < NODES; i++) {
      ids.add(new ReplicaId(PARTITION, new Uid((0xA0L + i) << 56, i), 3));
    }
    first =
        Configuration.of(ids.subList(0, MEMBERS)); // the last is a stranger, and counts for nothing
    observer = new Observer(members, 3);
    for (int i = 0; i < NODES; i++) {
      var node = new SimNode(this, i, ids.get(i));
      node.flushMillis = pick(0.5, 2, 2, 20, 200);
      nodes.add(node);
      if (i < MEMBERS) {
        members.add(node);
      }
    }
    nodes.forEach(SimNode::boot);
    start();
  }

  private void start() {
    after(1, this::sharding);
    for (int i = 0; i < 4; i++) {
      after(random.nextInt(50), this::client);
    }
    every(crashMillis, this::crashSome);
    every(cutMillis, this::cut);
    every(takeOverMillis, this::sharding);
    every(150, this::maintain);
    every(pick(200, 1_500), () -> {
      if (!primaries.isEmpty() && chaos) {
        any(primaries).forceSnapshot(any(nodes), any(nodes));
      }
    });
  }

  /** Runs until the condition holds; at this many virtual milliseconds from now it is an error. */
  void runUntil(BooleanSupplier condition, long millisMax, String what) {
    long end = now + millisMax;
    while (!condition.getAsBoolean()) {
      step();
      Observer.check(now <= end, "not within %s ms: %s", millisMax, what);
    }
  }

  void runFor(long millis) {
    long end = now + millis;
    while (now < end) {
      step();
    }
  }

  private void step() {
    Observer.check(++steps < 400_000, "a storm of messages at %s", now);
    var event = events.poll();
    now = event.at();
    event.work().run();
  }

  /** No faults from now on, all nodes up, one primary left. */
  void heal() {
    chaos = false;
    loss = 0;
    duplication = 0;
    delayed = 0;
    strays = 0;
    refusalLoss = 0;
    cuts.clear();
    for (var node : nodes) {
      node.flushMillis = 2;
      if (!node.isUp()) {
        boot(node);
      }
    }
    var alive = new ArrayList<>(primaries.stream().filter(SimPrimary::isRunning).toList());
    var last = alive.stream().filter(primary -> members.contains(primary.local)).findFirst();
    last.ifPresentOrElse(alive::remove, () -> begin(any(members)));
    for (var primary : alive) {
      if (random.nextBoolean()) {
        primary.kill();
      } else {
        primary.stop();
      }
    }
    for (var node : nodes) {
      primaries.forEach(primary -> primary.found(node));
    }
  }

  /** No more requests. */
  void quiet() {
    busy = false;
  }

  boolean allReplicasEqual() {
    return members.stream()
        .allMatch(node -> node.replica.applied().value() == observer.frontier()
            && node.replica.lastLsn().value() == observer.frontier()
            && node.store().applied().size() == observer.frontier());
  }

  void checkStores() {
    for (var node : nodes) {
      for (var entry : node.store().applied()) {
        observer.stores(node, entry);
      }
    }
  }

  // Faults.

  private void sharding() {
    if (!chaos) {
      return;
    }
    primaries.removeIf(primary -> !primary.isRunning());
    if (primaries.size() >= primariesMax) {
      var victim = any(primaries);
      if (random.nextInt(4) == 0) {
        victim.stop();
      } else {
        victim.kill();
      }
    }
    begin(any(nodes));
  }

  private void begin(SimNode node) {
    var primary = new SimPrimary(this, ++shells, node);
    primaries.add(primary);
    primary.start();
    primary.tick();
  }

  private void crashSome() {
    if (!chaos) {
      return;
    }
    boolean all = random.nextInt(6) == 0; // a power cut
    for (var node : nodes) {
      if (all || random.nextInt(4) == 0) {
        crash(node);
      }
    }
  }

  void crash(SimNode node) {
    if (!node.isUp() || !chaos) {
      return;
    }
    trace(() -> "crash " + node.id);
    node.crash();
    for (var primary : primaries) {
      if (primary.local == node && random.nextBoolean()) {
        primary.kill();
      } else if (random.nextBoolean()) {
        primary.lost(node);
      }
    }
    after(exponential(400), () -> boot(node));
  }

  private void boot(SimNode node) {
    if (!node.isUp()) {
      trace(() -> "boot " + node.id);
      node.boot();
      for (var primary : primaries) {
        after(exponential(50), () -> primary.found(node));
      }
    }
  }

  private void cut() {
    if (!chaos) {
      return;
    }
    int from = random.nextInt(NODES);
    long until = now + (long) exponential(2_000);
    boolean isolated = random.nextInt(3) == 0;
    boolean bothWays = isolated || random.nextBoolean();
    int first = isolated ? 0 : random.nextInt(NODES);
    int end = isolated ? NODES : first + 1;
    for (int to = first; to < end; to++) {
      cuts.put(from * NODES + to, until);
      if (bothWays) {
        cuts.put(to * NODES + from, until);
      }
    }
  }

  private void maintain() {
    for (var node : nodes) {
      if (random.nextInt(3) == 0) {
        node.maintain(random.nextBoolean(), random.nextBoolean());
      }
    }
  }

  /** Whether to crash right here. */
  boolean crashesNow() {
    return chaos && random.nextDouble() < crashAfterAnswer;
  }

  // Clients: each does one thing at a time, at whatever primary serves.

  private void client() {
    if (!busy) {
      return;
    }
    var serving = primaries.stream().filter(SimPrimary::serves).toList();
    if (serving.isEmpty()) {
      after(50, this::client);
      return;
    }
    var primary = any(serving);
    int key = random.nextInt(KEYS);
    boolean[] answered = new boolean[1];
    SimPrimary.Answer answer = known -> {
      if (!answered[0]) {
        answered[0] = true;
        after(random.nextInt(20), this::client);
      }
    };
    if (random.nextInt(3) > 0) {
      primary.write(key, "v" + ++values, answer);
    } else {
      primary.read(key, answer);
    }
    after(1_000, () -> answer.done(false)); // gives up waiting
  }

  /** A replica applied more: reads may have waited for it. */
  void applied(SimNode node) {
    for (var primary : primaries) {
      if (primary.local == node) {
        primary.answerReads();
      }
    }
  }

  // The network.

  void send(int from, int to, int replyTo, ToReplica message) {
    if (random.nextDouble() < strays) {
      transmit(from, to, () -> nodes.get(to).receive(strayed(message), replyTo));
    }
    transmit(from, to, () -> nodes.get(to).receive(message, replyTo));
  }

  /** A lane of its own: each piece goes when the one before has arrived. */
  void stream(int from, int to, int replyTo, List<ToReplica> pieces) {
    if (!pieces.isEmpty()) {
      transmit(from, to, () -> {
        nodes.get(to).receive(pieces.get(0), replyTo);
        stream(from, to, replyTo, pieces.subList(1, pieces.size()));
      });
    }
  }

  /** As it would reach a node that is of another cluster, or had another replica before. */
  private ToReplica strayed(ToReplica message) {
    if (message instanceof ToReplica.Confirm confirm) {
      var to = confirm.to();
      return switch (random.nextInt(3)) {
        case 0 -> new ToReplica.Confirm(new Uid(1, 1), to, confirm.epoch(), confirm.round());
        case 1 ->
          new ToReplica.Confirm(
              CLUSTER,
              new ReplicaId(new PhysicalPartitionId(6), to.store(), to.incarnation()),
              confirm.epoch(),
              confirm.round());
        default ->
          new ToReplica.Confirm(
              CLUSTER,
              new ReplicaId(PARTITION, to.store(), to.incarnation() - 1),
              confirm.epoch(),
              confirm.round());
      };
    }
    return message;
  }

  void broadcast(int from, int replyTo, ToReplica.ToAny message) {
    for (int to = 0; to < NODES; to++) {
      send(from, to, replyTo, message);
    }
  }

  void answer(int from, int shell, FromReplica answer) {
    if (answer instanceof FromReplica.Refused && random.nextDouble() < refusalLoss) {
      return;
    }
    for (var primary : primaries) {
      if (primary.shell == shell) {
        transmit(from, primary.local.index, () -> primary.receive(answer));
      }
    }
  }

  private void transmit(int from, int to, Runnable delivery) {
    if (from != to) {
      if (cuts.getOrDefault(from * NODES + to, 0L) > now || random.nextDouble() < loss) {
        return;
      }
      if (random.nextDouble() < duplication) {
        after(delay(), delivery);
      }
    }
    after(from == to ? random.nextInt(2) : delay(), delivery);
  }

  private double delay() {
    return random.nextDouble() < delayed ? exponential(3_000) : exponential(delayMillis);
  }

  // Chance and time.

  SimNode node(ReplicaId id) {
    return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
  }

  Attempt attempt() {
    return new Attempt(uid(), random.nextDouble(), random.nextInt(4) == 0);
  }

  Uid uid() {
    return new Uid(random.nextLong(), random.nextLong());
  }

  long now() {
    return now;
  }

  /** A wall clock that steps back and forth. */
  long clock() {
    return 1_000_000 + now + random.nextInt(1_000);
  }

  double applyMillis() {
    return exponential(2);
  }

  double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  void after(double millis, Runnable work) {
    events.add(new Event(now + Math.max(0, Math.round(millis)), order++, work));
  }

  private void every(double mean, Runnable work) {
    if (mean > 0) {
      after(exponential(mean), () -> {
        work.run();
        every(mean, work);
      });
    }
  }

  void trace(Supplier<String> line) {
    if (trace != null) {
      trace.add(now + " " + line.get());
    }
  }

  private double pick(double... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
