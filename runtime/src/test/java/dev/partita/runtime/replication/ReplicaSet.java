package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Four replicas and a network that does what a test says, for scenarios told step by step. */
final class ReplicaSet {
  static final Uid CLUSTER = new Uid(7, 7);
  static final PhysicalPartitionId PARTITION = new PhysicalPartitionId(5);
  static final PrimarySettings ONE_BY_ONE = new PrimarySettings(
      100, 3_000, 3_000, 200, 5_000, 10_000, 1, 1, 1 << 20, 1 << 20, 1 << 20, 500);

  enum Node {
    A,
    B,
    C,
    D;

    ReplicaId id() {
      return new ReplicaId(PARTITION, new Uid((0xA0L + name().charAt(0) - 'A') << 56, 0), 3);
    }

    static Node of(ReplicaId id) {
      return EnumSet.allOf(Node.class).stream()
          .filter(node -> node.id().equals(id))
          .findFirst()
          .orElseThrow();
    }
  }

  static final Configuration ALL =
      Configuration.of(List.of(Node.A.id(), Node.B.id(), Node.C.id(), Node.D.id()));

  /** A replica with its journal; what is queued is not durable. */
  static final class Disk {
    final ReplicaId id;
    final List<ReplicaEvent> journal = new ArrayList<>();
    final ArrayDeque<ReplicaEvent> queue = new ArrayDeque<>();
    Optional<Base> stored = Optional.empty();
    Replica replica;

    private final ReplicaSettings settings;

    Disk(ReplicaId id, ReplicaSettings settings) {
      this.id = id;
      this.settings = settings;
      restart();
    }

    /** An initial voter. */
    static Disk installed(ReplicaId id) {
      var disk = new Disk(id, ReplicaSettings.DEFAULT);
      disk.queue.add(disk.replica.initialVoter(ALL, 1).orElseThrow());
      disk.flush();
      return disk;
    }

    /** What was not durable is lost. */
    void restart() {
      queue.clear();
      replica = Replica.recover(id, CLUSTER, stored, settings);
      journal.forEach(replica::apply);
      replica.recovered().ifPresent(queue::add);
    }

    Decision receive(ToReplica message) {
      var decision = replica.receive(message, 0);
      decision.event().ifPresent(queue::add);
      return decision;
    }

    void flush() {
      while (!queue.isEmpty()) {
        flushOne();
      }
    }

    void flushOne() {
      var event = queue.removeFirst();
      replica.apply(event);
      journal.add(event);
      replica.flushed(event);
    }

    /** Receives, and flushes before the answer. */
    FromReplica ask(ToReplica message) {
      var decision = receive(message);
      flush();
      return decision.answer().orElseThrow();
    }

    /** The store takes what it may. */
    void applyAll() {
      var entries = replica.toApply(1_000, Long.MAX_VALUE);
      if (!entries.isEmpty()) {
        var last = entries.get(entries.size() - 1).lsn();
        stored = Optional.of(replica.markAt(last));
        replica.applied(last);
      }
    }

    String log() {
      var log = replica.state().installed().log();
      var text = new StringBuilder();
      for (long lsn = log.first(); lsn <= log.last(); lsn++) {
        text.append(text.length() > 0 ? " " : "")
            .append(lsn)
            .append('/')
            .append(log.get(lsn).epoch().counter());
      }
      return text.toString();
    }
  }

  final Map<Node, Disk> disks = new EnumMap<>(Node.class);
  /** What was sent to nodes that could not be reached. */
  final List<ToReplica.ToOne> undelivered = new ArrayList<>();

  ReplicaSet() {
    for (var node : Node.values()) {
      disks.put(node, Disk.installed(node.id()));
    }
  }

  Disk at(Node node) {
    return disks.get(node);
  }

  static Primary primary(Node local, PrimarySettings settings) {
    return new Primary(CLUSTER, PARTITION, Optional.of(local.id()), settings);
  }

  static Primary primary(Node local) {
    return primary(local, PrimarySettings.DEFAULT);
  }

  static Attempt attempt(long uid) {
    return new Attempt(new Uid(uid, 0), 0, true);
  }

  /** A primary that serves, having reached these nodes. */
  Primary established(Node local, long uid, Set<Node> reachable) {
    var primary = primary(local);
    run(primary, primary.start(attempt(uid), 0), reachable);
    return primary;
  }

  /** Delivers what the step sends, and what follows from it, until nothing does; answers all other actions. */
  List<Action> run(Primary primary, Step step, Set<Node> reachable) {
    var news = new ArrayList<Action>();
    var pending = new ArrayDeque<>(step.actions());
    while (!pending.isEmpty()) {
      var action = pending.removeFirst();
      if (action instanceof Action.Broadcast broadcast) {
        for (var node : reachable) {
          deliver(primary, node, broadcast.message(), pending);
        }
      } else if (action instanceof Action.Send send) {
        var node = Node.of(send.to());
        if (reachable.contains(node)) {
          deliver(primary, node, send.message(), pending);
        } else {
          undelivered.add(send.message());
        }
      } else {
        news.add(action);
      }
    }
    return news;
  }

  private void deliver(Primary primary, Node node, ToReplica message, ArrayDeque<Action> pending) {
    pending.addAll(primary.receive(at(node).ask(message), 0).actions());
  }

  Lsn write(Primary primary, String body) {
    return primary.propose(EntryKind.WRITE, Bytes.utf8(body), 1);
  }

  static Epoch epoch(long counter) {
    return new Epoch(counter, new Uid(counter, 0));
  }

  static Entry entry(long lsn, long epoch) {
    return new Entry(
        new Lsn(lsn), epoch(epoch), EntryKind.WRITE, 0, Bytes.utf8("w" + lsn + "of" + epoch));
  }

  static ToReplica.Append append(
      Node to, long epoch, long prev, long prevEpoch, List<Entry> entries, long commit) {
    return new ToReplica.Append(
        CLUSTER,
        to.id(),
        epoch(epoch),
        new Lsn(prev),
        prevEpoch == 0 ? Epoch.ZERO : epoch(prevEpoch),
        entries,
        new Lsn(commit),
        0);
  }

  static ToReplica.Prepare prepare(long epoch) {
    return new ToReplica.Prepare(CLUSTER, PARTITION, epoch(epoch));
  }
}
