package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A primary next to one node's replica: what its shell does, in virtual time, for writes and strong reads. */
final class SimPrimary {
  /** What a client hears. */
  interface Answer {
    void done(boolean known);
  }

  private record Write(int key, long floor, String body, Answer answer) {}

  private record Read(int key, long floor, long round, long readIndex, Answer answer) {}

  private final Simulation sim;
  final int shell;
  final SimNode local;
  final Primary primary;
  private final TreeMap<Long, Write> writes = new TreeMap<>();
  private final List<Read> reads = new ArrayList<>();
  private boolean running = true;
  private boolean leading;
  private long seen;
  private long noOpLsn = Long.MAX_VALUE;
  private long confirmed;

  SimPrimary(Simulation sim, int shell, SimNode local) {
    this.sim = sim;
    this.shell = shell;
    this.local = local;
    this.primary = new Primary(
        Simulation.CLUSTER, Simulation.PARTITION, Optional.of(local.id), sim.primarySettings);
  }

  boolean isRunning() {
    return running;
  }

  void start() {
    if (running) {
      perform(primary.start(sim.attempt(), sim.now()));
    }
  }

  void tick() {
    if (running) {
      perform(primary.tick(sim.now()));
      sim.after(20 + sim.random.nextInt(60), this::tick);
    }
  }

  /** Gone without a word: its clients never hear of it. */
  void kill() {
    running = false;
    unknown();
  }

  void receive(FromReplica answer) {
    if (!running) {
      return;
    }
    sim.trace(() -> "primary " + shell + " <- " + answer);
    perform(primary.receive(answer, sim.now()));
  }

  void lost(SimNode node) {
    if (running) {
      primary.memberLost(node.id);
    }
  }

  void found(SimNode node) {
    if (running) {
      perform(primary.memberFound(node.id, sim.now()));
    }
  }

  /** L7. */
  boolean serves() {
    return running
        && primary.isEstablished()
        && local.isUp()
        && local.replica.applied().value() >= noOpLsn;
  }

  void write(int key, String value, Answer answer) {
    var body = Bytes.utf8(key + "=" + value);
    long floor = sim.observer.floor(key);
    var lsn = primary.propose(EntryKind.WRITE, body, sim.clock());
    writes.put(lsn.value(), new Write(key, floor, body.utf8(), answer));
    sim.after(sim.random.nextInt(3), this::flush);
  }

  void read(int key, Answer answer) {
    long floor = sim.observer.floor(key);
    long round = primary.joinRound();
    reads.add(new Read(key, floor, round, primary.commit().value(), answer));
    sim.after(sim.random.nextInt(3), this::flush);
  }

  /** A snapshot that nobody needs (section 17.7). */
  void forceSnapshot(SimNode source, SimNode target) {
    if (running && primary.isLeading()) {
      sim.send(
          local.index,
          source.index,
          shell,
          new ToReplica.SendSnapshot(Simulation.CLUSTER, source.id, primary.epoch(), target.id));
    }
  }

  void stop() {
    if (running) {
      perform(primary.stop(sim.now()));
      running = false;
    }
  }

  private void flush() {
    if (running) {
      perform(primary.flush(sim.now()));
    }
  }

  private void perform(Step step) {
    if (primary.isLeading() && !leading) {
      leading = true;
      seen = primary.commit().value();
      sim.observer.leads(shell, primary);
    }
    for (var action : step.actions()) {
      perform(action);
    }
    answerReads();
  }

  private void perform(Action action) {
    if (action instanceof Action.Send send) {
      sim.send(local.index, sim.node(send.to()).index, shell, send.message());
    } else if (action instanceof Action.Broadcast broadcast) {
      sim.broadcast(local.index, shell, broadcast.message());
    } else if (action instanceof Action.Committed committed) {
      committed(committed.through());
    } else if (action instanceof Action.NoOpCommitted noOp) {
      noOpLsn = noOp.lsn().value();
    } else if (action instanceof Action.RoundConfirmed round) {
      confirmed = round.round();
    } else if (action instanceof Action.SteppedDown down) {
      sim.trace(() -> "primary " + shell + " " + down);
      sim.observer.ended.add(down.reason());
      steppedDown(down);
    } else if (action instanceof Action.Alarm alarm) {
      throw new Observer.Violation(alarm.toString());
    } else if (action instanceof Action.Dropped dropped) {
      sim.observer.dropped.add(dropped.reason());
    }
  }

  private void committed(Lsn through) {
    sim.trace(() -> "primary " + shell + " commits " + through);
    sim.observer.commits(primary, seen, through.value());
    seen = through.value();
    var done = writes.headMap(seen, true);
    done.forEach((lsn, write) -> {
      sim.observer.acknowledges(write.key(), lsn, write.floor(), write.body());
      write.answer().done(true);
    });
    done.clear();
  }

  private void steppedDown(Action.SteppedDown down) {
    unknown();
    if (down.retryAt() < Long.MAX_VALUE) {
      sim.after(down.retryAt() - sim.now(), this::start);
    }
  }

  private void unknown() {
    writes.values().forEach(write -> write.answer().done(false));
    writes.clear();
    reads.forEach(read -> read.answer().done(false));
    reads.clear();
    leading = false;
    noOpLsn = Long.MAX_VALUE;
    confirmed = 0;
  }

  /** S-L: confirmed, and the local replica has applied what was committed on arrival. */
  void answerReads() {
    if (!running || !local.isUp()) {
      return;
    }
    long applied = local.replica.applied().value();
    reads.removeIf(read -> {
      boolean ready = read.round() <= confirmed && read.readIndex() <= applied;
      if (ready) {
        sim.observer.reads(read.key(), local.store().read(read.key()), read.floor());
        read.answer().done(true);
      }
      return ready;
    });
  }
}
