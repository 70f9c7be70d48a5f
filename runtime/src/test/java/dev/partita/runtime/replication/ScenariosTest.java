package dev.partita.runtime.replication;

import static dev.partita.runtime.replication.ReplicaSet.CLUSTER;
import static dev.partita.runtime.replication.ReplicaSet.PARTITION;
import static dev.partita.runtime.replication.ReplicaSet.append;
import static dev.partita.runtime.replication.ReplicaSet.attempt;
import static dev.partita.runtime.replication.ReplicaSet.entry;
import static dev.partita.runtime.replication.ReplicaSet.epoch;
import static dev.partita.runtime.replication.ReplicaSet.prepare;
import static dev.partita.runtime.replication.ReplicaSet.primary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.ReplicaSet.Disk;
import dev.partita.runtime.replication.ReplicaSet.Node;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The scenarios of replication.md section 18, by number, as far as they need neither split nor move. */
class ScenariosTest {
  private static final EnumSet<Node> ALL = EnumSet.allOf(Node.class);
  private final ReplicaSet set = new ReplicaSet();

  @Test
  void s01_aDeposedPrimarysLateAppendIsRefused() {
    var old = set.established(Node.A, 1, ALL);
    for (int i = 2; i <= 4; i++) {
      set.write(old, "w" + i);
    }
    set.run(old, old.flush(0), ALL);
    assertThat(old.commit()).isEqualTo(new Lsn(4));
    set.write(old, "5");
    set.write(old, "6");
    assertThat(set.run(old, old.flush(0), EnumSet.of(Node.A))).isEmpty();
    var late = set.undelivered.stream().filter(m -> m.to().equals(Node.C.id())).findFirst();

    var successor = primary(Node.B);
    set.run(successor, successor.start(attempt(2), 0), EnumSet.of(Node.B, Node.C));
    set.run(successor, successor.tick(100), EnumSet.of(Node.B, Node.C, Node.D));
    assertThat(successor.commit()).isEqualTo(new Lsn(5));

    var refused = set.at(Node.C).ask(late.orElseThrow());
    assertThat(refused).isInstanceOf(FromReplica.Refused.class);
    assertThat(old.receive(refused, 0).actions())
        .anySatisfy(action -> assertThat(action)
            .isInstanceOfSatisfying(
                Action.SteppedDown.class,
                down -> assertThat(down.reason()).isEqualTo(StepDownReason.DEPOSED)));

    set.run(successor, successor.tick(300), ALL);
    assertThat(set.at(Node.A).log()).isEqualTo("1/1 2/1 3/1 4/1 5/2");
  }

  @Test
  void s02_anOldEpochsEntryOnAWriteQuorumIsNotCommitted() {
    var first = List.of(entry(1, 1), entry(2, 1));
    for (var node : Node.values()) {
      set.at(node).ask(append(node, 1, 0, 0, first, 2));
      set.at(node).applyAll();
    }
    set.at(Node.A).ask(append(Node.A, 1, 2, 1, List.of(entry(3, 1)), 2));
    set.at(Node.D).ask(append(Node.D, 2, 2, 1, List.of(entry(3, 2)), 2));

    // It adopts 3 of epoch 1, and dies when three members have that and nothing more.
    var third = primary(Node.A, ReplicaSet.ONE_BY_ONE);
    var heard = EnumSet.of(Node.A, Node.B);
    var fetched = untilLeading(third, third.start(attempt(3), 0), heard);
    var acks = new ArrayList<FromReplica>();
    for (var action : fetched.actions()) {
      if (action instanceof Action.Send send
          && send.message() instanceof ToReplica.Append append
          && !append.entries().isEmpty()
          && append.entries().get(0).lsn().value() == 3) {
        acks.add(set.at(Node.of(send.to())).ask(append));
      }
    }
    acks.add(set.at(Node.A).ask(appendOf(third.epoch(), Node.A, 3, 1)));
    acks.add(set.at(Node.C).ask(appendOf(third.epoch(), Node.C, 2, 1, List.of(entry(3, 1)))));
    assertThat(acks).hasSizeGreaterThanOrEqualTo(3);
    for (var ack : acks) {
      assertThat(third.receive(ack, 0).actions()).noneMatch(Action.Committed.class::isInstance);
    }
    assertThat(third.commit()).isEqualTo(new Lsn(2));

    var fourth = set.established(Node.D, 4, EnumSet.of(Node.C, Node.D));
    set.run(fourth, fourth.tick(100), EnumSet.of(Node.B, Node.C, Node.D));
    assertThat(fourth.commit()).isEqualTo(new Lsn(4));
    assertThat(set.at(Node.B).log()).startsWith("1/1 2/1 3/2 4/");
    assertThat(set.at(Node.A).replica.applied()).isEqualTo(new Lsn(2));
  }

  /** Runs to the moment when the primary leads, and gives what it wants to send then. */
  private Step untilLeading(Primary primary, Step step, EnumSet<Node> heard) {
    var steps = new ArrayList<>(List.of(step));
    while (!primary.isLeading()) {
      var actions = steps.remove(0).actions();
      for (var action : actions) {
        if (action instanceof Action.Broadcast broadcast) {
          for (var node : heard) {
            steps.add(primary.receive(set.at(node).ask(broadcast.message()), 0));
          }
        } else if (action instanceof Action.Send send && !primary.isLeading()) {
          steps.add(primary.receive(set.at(Node.of(send.to())).ask(send.message()), 0));
        }
      }
    }
    return steps.get(steps.size() - 1);
  }

  private static ToReplica.Append appendOf(
      Epoch epoch, Node to, long prev, long prevEpoch, List<Entry> entries) {
    return new ToReplica.Append(
        CLUSTER, to.id(), epoch, new Lsn(prev), epoch(prevEpoch), entries, new Lsn(2), 0);
  }

  private static ToReplica.Append appendOf(Epoch epoch, Node to, long prev, long prevEpoch) {
    return appendOf(epoch, to, prev, prevEpoch, List.of());
  }

  @Test
  void s03_aPromiseReportsWhatIsQueuedAndWaitsForIt() {
    var c = set.at(Node.C);
    c.ask(append(Node.C, 1, 0, 0, entries(1, 8, 1), 8));
    var acked = c.receive(append(Node.C, 1, 8, 1, List.of(entry(9, 1)), 8));
    var promised = c.receive(prepare(2));

    assertThat(promised.answer().orElseThrow())
        .isInstanceOfSatisfying(
            FromReplica.Promise.class,
            promise -> assertThat(promise.lastLsn()).isEqualTo(new Lsn(9)));
    assertThat(acked.after()).isGreaterThan(c.replica.eventsFlushed());
    c.flushOne();
    assertThat(acked.after()).isEqualTo(c.replica.eventsFlushed());
    assertThat(promised.after()).isGreaterThan(c.replica.eventsFlushed());
    c.flushOne();
    assertThat(promised.after()).isEqualTo(c.replica.eventsFlushed());
  }

  @Test
  void s04_aCrashAtAnyPointForgetsNothingThatWasAnswered() {
    var script = List.<ToReplica>of(
        append(Node.C, 1, 0, 0, entries(1, 3, 1), 0),
        prepare(2),
        append(Node.C, 2, 2, 1, List.of(entry(3, 2), entry(4, 2)), 2),
        prepare(4),
        append(Node.C, 5, 3, 2, List.of(), 3),
        append(Node.C, 6, 4, 2, List.of(entry(5, 6)), 4));
    for (int handled = 1; handled <= script.size(); handled++) {
      for (int durable = 0; durable <= handled; durable++) {
        var disk = Disk.installed(Node.C.id());
        var decisions = new ArrayList<Decision>();
        script.subList(0, handled).forEach(message -> decisions.add(disk.receive(message)));
        for (int i = 0; i < durable && !disk.queue.isEmpty(); i++) {
          disk.flushOne();
        }
        long flushed = disk.replica.eventsFlushed();
        disk.restart();
        decisions.stream()
            .filter(decision -> decision.after() <= flushed)
            .map(decision -> decision.answer().orElseThrow())
            .forEach(answer -> assertRemembers(disk.replica, answer));
      }
    }
  }

  private static void assertRemembers(Replica replica, FromReplica answer) {
    if (answer instanceof FromReplica.Promise promise) {
      assertThat(replica.promised()).isGreaterThanOrEqualTo(promise.epoch());
    } else if (answer instanceof FromReplica.Appended appended) {
      assertThat(replica.promised()).isGreaterThanOrEqualTo(appended.epoch());
      assertThat(replica.lastLsn()).isGreaterThanOrEqualTo(appended.match());
    }
  }

  @Test
  void s05_aShorterDuplicateCutsNothing() {
    var c = set.at(Node.C);
    c.ask(append(Node.C, 1, 0, 0, entries(1, 9, 1), 0));
    assertThat(c.ask(append(Node.C, 1, 3, 1, entries(4, 5, 1), 5)))
        .isInstanceOfSatisfying(
            FromReplica.Appended.class,
            appended -> assertThat(appended.match()).isEqualTo(new Lsn(5)));
    assertThat(c.replica.lastLsn()).isEqualTo(new Lsn(9));
  }

  @Test
  void s06_anUnverifiedTailIsNotCommitted() {
    var d = set.at(Node.D);
    d.ask(append(Node.D, 1, 0, 0, entries(1, 8, 1), 4));
    d.ask(append(Node.D, 2, 6, 1, List.of(), 8));
    assertThat(d.replica.commit()).isEqualTo(new Lsn(6));
    assertThat(d.replica.toApply(100, 10_000)).hasSize(6);
  }

  @Test
  void s07_twoPrimariesWithOneCounterNeverBothCommit() {
    var one = primary(Node.A);
    var two = primary(Node.B);
    var probes = one.start(attempt(12), 0);
    var otherProbes = two.start(attempt(13), 0);
    var prepares = answers(one, probes, EnumSet.of(Node.A, Node.B));
    var otherPrepares = answers(two, otherProbes, EnumSet.of(Node.B, Node.C));
    assertThat(one.epoch().counter()).isEqualTo(two.epoch().counter());
    assertThat(one.epoch()).isNotEqualTo(two.epoch());

    set.run(two, new Step(otherPrepares), EnumSet.of(Node.B, Node.C, Node.D));
    var news = set.run(one, new Step(prepares), ALL);
    assertThat(two.isEstablished()).isTrue();
    assertThat(news).anyMatch(Action.SteppedDown.class::isInstance);
    assertThat(news).noneMatch(Action.Committed.class::isInstance);
  }

  private List<Action> answers(Primary primary, Step step, EnumSet<Node> heard) {
    var actions = new ArrayList<Action>();
    for (var action : step.actions()) {
      for (var node : heard) {
        var message = ((Action.Broadcast) action).message();
        actions.addAll(primary.receive(set.at(node).ask(message), 0).actions());
      }
    }
    return actions.stream().filter(Action.Broadcast.class::isInstance).toList();
  }

  @Test
  void s08_aPowerCutLosesNothingAcknowledged() {
    var primary = set.established(Node.A, 1, ALL);
    for (int i = 0; i < 10; i++) {
      set.write(primary, "w" + i);
      set.run(
          primary,
          primary.flush(0),
          EnumSet.complementOf(EnumSet.of(List.copyOf(ALL).get(i % 4))));
    }
    var acknowledged = primary.commit();
    assertThat(acknowledged).isEqualTo(new Lsn(11));
    for (var node : Node.values()) { // what the stores and the journals had under way is gone
      set.at(node).receive(appendOf(primary.epoch(), node, 999, 1));
      set.at(node).stored = Optional.empty();
      set.at(node).restart();
    }
    var next = set.established(Node.D, 2, EnumSet.of(Node.C, Node.D, Node.B));
    assertThat(next.commit()).isGreaterThan(acknowledged);
    set.at(Node.B).applyAll();
    assertThat(set.at(Node.B).replica.applied()).isGreaterThanOrEqualTo(acknowledged);
  }

  @Test
  void s09_aDeposedPrimaryConfirmsNoRead() {
    var old = set.established(Node.A, 1, ALL);
    var successor = set.established(Node.B, 2, EnumSet.of(Node.B, Node.C, Node.D));
    set.write(successor, "newer");
    set.run(successor, successor.flush(0), EnumSet.of(Node.B, Node.C, Node.D));

    old.joinRound();
    assertThat(set.run(old, old.flush(0), EnumSet.of(Node.A)))
        .noneMatch(Action.RoundConfirmed.class::isInstance);
  }

  @Test
  void s10_anEchoOfAnEarlierRoundConfirmsNothing() {
    var primary = set.established(Node.A, 1, ALL);
    long first = primary.joinRound();
    assertThat(set.run(primary, primary.flush(0), EnumSet.of(Node.A, Node.B)))
        .contains(new Action.RoundConfirmed(first));
    var late = set.undelivered.stream()
        .filter(ToReplica.Confirm.class::isInstance)
        .map(message -> set.at(Node.of(message.to())).ask(message))
        .toList();
    assertThat(late).hasSize(2);

    long second = primary.joinRound();
    set.run(primary, primary.flush(0), EnumSet.noneOf(Node.class));
    for (var echo : late) {
      assertThat(primary.receive(echo, 0).actions())
          .noneMatch(Action.RoundConfirmed.class::isInstance);
    }
    assertThat(set.run(primary, primary.tick(200), EnumSet.of(Node.C, Node.D)))
        .contains(new Action.RoundConfirmed(second));
  }

  @Test
  void s11_aRefusalOnAPendingWriteWaitsForItsCommit() {
    var primary = set.established(Node.A, 1, ALL);
    var pending = set.write(primary, "changes the etag");
    long round = primary.joinRound();
    assertThat(primary.lastLsn()).isEqualTo(pending);
    var news = set.run(primary, primary.flush(0), EnumSet.of(Node.A, Node.B));
    assertThat(news).contains(new Action.RoundConfirmed(round));
    assertThat(primary.commit()).isLessThan(pending); // so nobody is told 412 yet
    set.run(set.established(Node.C, 2, EnumSet.of(Node.C, Node.D, Node.B)), Step.NONE, ALL);
    assertThat(set.run(primary, primary.tick(200), ALL))
        .anyMatch(Action.SteppedDown.class::isInstance)
        .noneMatch(Action.Committed.class::isInstance);
  }

  @Test
  void s11_theCommitOfALaterOwnEntryIsAConfirmation() {
    var primary = set.established(Node.A, 1, ALL);
    long round = primary.joinRound();
    var later = set.write(primary, "appended after the arrival");
    var acks = new ArrayList<FromReplica>();
    for (var action : primary.flush(0).actions()) {
      var send = (Action.Send) action;
      if (send.message() instanceof ToReplica.Append) {
        acks.add(set.at(Node.of(send.to())).ask(send.message()));
      }
    }
    var news = new ArrayList<Action>();
    acks.forEach(ack -> news.addAll(primary.receive(ack, 0).actions()));
    assertThat(news).contains(new Action.Committed(later), new Action.RoundConfirmed(round));
  }

  @Test
  void s18_aWipedVotersSuccessorIsNeverCounted() {
    var fresh = new Disk(new ReplicaId(PARTITION, new Uid(99, 99), 4), ReplicaSettings.DEFAULT);
    assertThat(fresh.receive(append(Node.D, 1, 0, 0, entries(1, 2, 1), 0)).dropped())
        .contains(DropReason.WRONG_REPLICA);

    var primary = primary(Node.A);
    var probe = (Action.Broadcast) primary.start(attempt(1), 0).actions().get(0);
    primary.receive(set.at(Node.A).ask(probe.message()), 0);
    primary.receive(fresh.ask(probe.message()), 0);
    assertThat(primary.phase()).isEqualTo(Primary.Phase.PROBE);
    primary.receive(set.at(Node.B).ask(probe.message()), 0);
    var prepare = new ToReplica.Prepare(CLUSTER, PARTITION, primary.epoch());
    primary.receive(set.at(Node.A).ask(prepare), 0);
    primary.receive(fresh.ask(prepare), 0);
    assertThat(primary.phase()).isEqualTo(Primary.Phase.PREPARE);
  }

  @Test
  void s19_aSnapshotKeepsAnAcknowledgedSuffix() {
    for (long baseEpoch : new long[] {1, 2}) {
      var disk = Disk.installed(Node.D.id());
      disk.ask(append(Node.D, 1, 0, 0, entries(1, 50, 1), 10));
      disk.ask(prepare(3));
      install(disk, 3, new Base(new Lsn(40), epoch(baseEpoch), ReplicaSet.ALL, Lsn.ZERO, 0, 1));
      assertThat(disk.replica.lastLsn()).isEqualTo(new Lsn(baseEpoch == 1 ? 50 : 40));
      assertThat(disk.replica.commit()).isEqualTo(new Lsn(40));
      assertThat(disk.replica.promised()).isEqualTo(epoch(3));
      disk.stored = Optional.of(disk.replica.base());
      disk.restart();
      assertThat(disk.replica.lastLsn()).isEqualTo(new Lsn(baseEpoch == 1 ? 50 : 40));
    }
  }

  private static void install(Disk disk, long epoch, Base base) {
    var id = new Uid(8, 8);
    disk.receive(new ToReplica.InstallBegin(CLUSTER, disk.id, epoch(epoch), id, base));
    var end = disk.receive(new ToReplica.InstallEnd(CLUSTER, disk.id, epoch(epoch), id, 0));
    assertThat(end.work()).contains(new SnapshotWork.Switch(id, base));
    assertThat(disk.receive(prepare(9)).dropped()).contains(DropReason.INSTALLING);
    disk.queue.add(disk.replica.installed(id).event().orElseThrow());
    disk.flush();
  }

  @Test
  void s20_aDeposedPrimaryGetsNoSnapshot() {
    var a = set.at(Node.A);
    a.ask(prepare(2));
    var request = new ToReplica.SendSnapshot(CLUSTER, Node.A.id(), epoch(1), Node.D.id());
    assertThat(a.ask(request)).isInstanceOf(FromReplica.Refused.class);

    var base = new Base(new Lsn(4), epoch(2), ReplicaSet.ALL, Lsn.ZERO, 0, 1);
    assertThat(set.at(Node.D)
            .ask(new ToReplica.InstallBegin(CLUSTER, Node.D.id(), epoch(1), new Uid(8, 8), base)))
        .isInstanceOf(FromReplica.Refused.class);
    assertThat(set.at(Node.D).replica.base().epoch())
        .isLessThanOrEqualTo(set.at(Node.D).replica.promised());
  }

  private static List<Entry> entries(long from, long through, long epoch) {
    var entries = new ArrayList<Entry>();
    for (long lsn = from; lsn <= through; lsn++) {
      entries.add(entry(lsn, epoch));
    }
    return entries;
  }
}
