package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node with one replica, its journal and its store: what the shell of a replica does, in virtual time. */
final class SimNode {
  private record Waiting(FromReplica answer, int replyTo, long after) {}

  private record Mail(ToReplica message, int replyTo) {}

  private final Simulation sim;
  final int index;
  final ReplicaId id;
  final DurableLog durable = new DurableLog();
  private final List<ReplicaEvent> journal = new ArrayList<>();
  private final SimStore store = new SimStore();
  private final ArrayDeque<ReplicaEvent> queue = new ArrayDeque<>();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final ArrayDeque<Mail> stash = new ArrayDeque<>();
  private boolean flushing;
  private boolean applying;
  private boolean up;
  private int boots;
  private long commitSeen;
  Replica replica;
  double flushMillis = 2;

  SimNode(Simulation sim, int index, ReplicaId id) {
    this.sim = sim;
    this.index = index;
    this.id = id;
    this.replica = Replica.recover(id, Simulation.CLUSTER, Optional.empty(), sim.replicaSettings);
  }

  boolean isUp() {
    return up;
  }

  SimStore store() {
    return store;
  }

  void boot() {
    up = true;
    boots++;
    replica = Replica.recover(id, Simulation.CLUSTER, store.mark(), sim.replicaSettings);
    journal.forEach(replica::apply);
    var event = replica.recovered();
    Observer.check(replica.quarantined().isEmpty(), "%s: %s", id, replica.quarantined());
    Observer.check(replica.promised().compareTo(durable.promised()) >= 0, "I1: %s forgot", id);
    Observer.check(replica.lastLsn().value() >= durable.last(), "%s lost its log", id);
    commitSeen = replica.commit().value();
    event.ifPresent(this::persist);
    if (sim.first.contains(id)) { // asked for until it is durable
      replica.initialVoter(sim.first, 1).ifPresent(this::persist);
    }
  }

  /** Some prefix of what was on its way to the disk arrives, and the store falls back. */
  void crash() {
    up = false;
    int kept = sim.random.nextInt(queue.size() + 1);
    for (int i = 0; i < kept; i++) {
      journaled(queue.pollFirst());
    }
    queue.clear();
    waiting.clear();
    stash.clear();
    flushing = false;
    applying = false;
    store.crash(sim.random);
  }

  void receive(ToReplica message, int replyTo) {
    if (!up) {
      return;
    }
    if (sim.oneAtATime && !queue.isEmpty()) {
      stash.addLast(new Mail(message, replyTo));
      return;
    }
    handle(message, replyTo);
  }

  private void handle(ToReplica message, int replyTo) {
    sim.trace(() -> id + " <- " + message);
    decided(replica.receive(message, sim.now()), replyTo);
    observe();
  }

  private void decided(Decision decision, int replyTo) {
    decision.dropped().ifPresent(sim.observer.dropped::add);
    decision.event().ifPresent(this::persist);
    decision.answer().ifPresent(answer -> {
      if (decision.after() <= replica.eventsFlushed()) {
        leave(answer, replyTo);
      } else {
        waiting.addLast(new Waiting(answer, replyTo, decision.after()));
      }
    });
    decision.work().ifPresent(work -> move(work, replyTo));
  }

  private void observe() {
    long commit = replica.commit().value();
    Observer.check(commit >= commitSeen, "I13: the commit of %s falls to %s", id, commit);
    if (commit > commitSeen) {
      sim.observer.follows(this, commitSeen, commit);
      commitSeen = commit;
    }
    if (!applying) {
      applying = true;
      later(sim.applyMillis(), this::applySome);
    }
  }

  private void applySome() {
    applying = false;
    var entries = replica.toApply(1 + sim.random.nextInt(16), 2_000);
    if (entries.isEmpty()) {
      return;
    }
    var last = entries.get(entries.size() - 1).lsn();
    for (var entry : entries) {
      sim.observer.stores(this, entry);
      Observer.check(durable.holds(entry), "I4: %s applies %s before it is durable", id, entry);
    }
    store.write(entries, replica.markAt(last));
    replica.applied(last);
    sim.applied(this);
    observe();
  }

  /** The store is synced now and then, and the log let go of what that covers. */
  void maintain(boolean sync, boolean rebase) {
    if (!up) {
      return;
    }
    if (sync) {
      store.sync();
    }
    if (rebase && !(sim.oneAtATime && !queue.isEmpty())) {
      replica.rebase(new Lsn(store.synced())).ifPresent(event -> {
        sim.observer.rebases++;
        persist(event);
      });
    }
  }

  private void persist(ReplicaEvent event) {
    replica.apply(event);
    queue.addLast(event);
    if (!flushing) {
      flush();
    }
  }

  private void flush() {
    flushing = true;
    int covered = queue.size();
    later(sim.exponential(flushMillis), () -> flushed(covered));
  }

  private void flushed(int covered) {
    flushing = false;
    for (int i = 0; i < covered; i++) {
      var event = queue.pollFirst();
      journaled(event);
      replica.flushed(event);
      release();
    }
    if (!queue.isEmpty()) {
      flush();
    }
    while (queue.isEmpty() && !stash.isEmpty()) {
      var mail = stash.pollFirst();
      handle(mail.message(), mail.replyTo());
    }
    observe();
  }

  private void journaled(ReplicaEvent event) {
    if (event instanceof ReplicaEvent.Rebased) {
      journal.clear();
    }
    journal.add(event);
    durable.add(event);
  }

  private void release() {
    while (!waiting.isEmpty() && waiting.peekFirst().after() <= replica.eventsFlushed()) {
      var ready = waiting.pollFirst();
      leave(ready.answer(), ready.replyTo());
    }
  }

  private void leave(FromReplica answer, int replyTo) {
    sim.observer.leaves(this, answer);
    sim.answer(index, replyTo, answer);
    if (sim.crashesNow()) {
      sim.after(0, () -> sim.crash(this));
    }
  }

  private void move(SnapshotWork work, int replyTo) {
    if (work instanceof SnapshotWork.Send send) {
      store.copy().ifPresent(copy -> sendState(send, copy, replyTo));
    } else if (work instanceof SnapshotWork.Switch change) {
      later(sim.exponential(5), () -> switchStore(change, replyTo));
    }
  }

  private void sendState(SnapshotWork.Send send, SimStore.Copy copy, int replyTo) {
    var transfer = sim.uid();
    var target = sim.node(send.target());
    sim.transfers.put(transfer, copy);
    var pieces = new ArrayList<ToReplica>();
    pieces.add(new ToReplica.InstallBegin(
        Simulation.CLUSTER, target.id, send.epoch(), transfer, copy.mark()));
    int chunks = 1 + sim.random.nextInt(3);
    for (int i = 0; i < chunks; i++) {
      pieces.add(new ToReplica.InstallChunk(
          Simulation.CLUSTER, target.id, send.epoch(), transfer, i, Bytes.EMPTY));
    }
    pieces.add(
        new ToReplica.InstallEnd(Simulation.CLUSTER, target.id, send.epoch(), transfer, chunks));
    sim.stream(index, target.index, replyTo, pieces);
  }

  private void switchStore(SnapshotWork.Switch change, int replyTo) {
    store.install(sim.transfers.get(change.transferId()));
    sim.observer.snapshots++;
    if (sim.crashesNow()) {
      sim.crash(this);
      return;
    }
    decided(replica.installed(change.transferId()), replyTo);
    sim.applied(this);
    observe();
  }

  private void later(double millis, Runnable work) {
    int boot = boots;
    sim.after(millis, () -> {
      if (up && boot == boots) {
        work.run();
      }
    });
  }
}
