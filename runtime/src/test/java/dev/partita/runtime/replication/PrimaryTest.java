package dev.partita.runtime.replication;

import static dev.partita.runtime.replication.ReplicaSet.attempt;
import static dev.partita.runtime.replication.ReplicaSet.primary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.ReplicaSet.Node;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PrimaryTest {
  private static final EnumSet<Node> ALL = EnumSet.allOf(Node.class);
  private final ReplicaSet set = new ReplicaSet();

  @Test
  void l02_leavesAHealthyPrimaryAloneForAWhile() {
    var healthy = set.established(Node.A, 1, ALL);
    var other = primary(Node.B);
    set.run(other, other.start(new Attempt(new Uid(2, 0), 0, false), 0), ALL);
    assertThat(other.phase()).isEqualTo(Primary.Phase.PROBE);
    set.run(
        other,
        other.tick(2_900),
        ALL); // the replicas' clock stands still, so they heard it just now
    assertThat(other.phase()).isEqualTo(Primary.Phase.PROBE);
    set.run(other, other.tick(3_000), EnumSet.noneOf(Node.class));
    for (var node : ALL) {
      var probe = new ToReplica.Probe(ReplicaSet.CLUSTER, ReplicaSet.PARTITION, new Uid(2, 0));
      other.receive(set.at(node).ask(probe), 3_001);
    }
    assertThat(other.phase()).isEqualTo(Primary.Phase.PREPARE);
    assertThat(healthy.isEstablished()).isTrue();
  }

  @Test
  void l04_stopsWhenAMemberHasCommittedWhatTheBestLogLacks() {
    var primary = primary(Node.A);
    set.run(primary, primary.start(attempt(1), 0), EnumSet.noneOf(Node.class));
    for (var node : List.of(Node.A, Node.B)) {
      var probe = new ToReplica.Probe(ReplicaSet.CLUSTER, ReplicaSet.PARTITION, new Uid(1, 0));
      primary.receive(set.at(node).ask(probe), 0);
    }
    primary.receive(promise(primary.epoch(), Node.A, 3, 3), 0);
    var news = primary.receive(promise(primary.epoch(), Node.B, 4, 9), 0).actions();
    assertThat(news)
        .anyMatch(action ->
            action instanceof Action.Alarm alarm && alarm.kind() == AlarmKind.DATA_LOSS_SUSPECTED)
        .contains(new Action.SteppedDown(StepDownReason.DATA_LOSS_SUSPECTED, Long.MAX_VALUE));
  }

  private static FromReplica.Promise promise(Epoch epoch, Node from, long last, long commit) {
    return new FromReplica.Promise(
        ReplicaSet.CLUSTER,
        from.id(),
        epoch,
        ReplicaSet.epoch(1),
        new Lsn(last),
        0,
        Optional.of(ReplicaSet.ALL),
        Lsn.ZERO,
        new Lsn(commit));
  }

  @Test
  void l07_takesNothingBeforeItsOwnEntryIsCommitted() {
    var primary = set.established(Node.A, 1, EnumSet.of(Node.A, Node.B));
    assertThat(primary.phase()).isEqualTo(Primary.Phase.LEAD);
    assertThat(primary.isEstablished()).isFalse();
    assertThatThrownBy(() -> set.write(primary, "too early"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(primary::joinRound).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void l08_groupsWhatWaitsBehindAFullPipeline() {
    var primary = set.established(Node.A, 1, ALL);
    for (int i = 0; i < 3; i++) {
      set.write(primary, "first " + i);
      primary.flush(0);
    }
    for (int i = 0; i < 100; i++) {
      set.write(primary, "waiting " + i);
    }
    assertThat(primary.flush(0).actions()).isEmpty();
    var ack =
        new FromReplica.Appended(ReplicaSet.CLUSTER, Node.B.id(), primary.epoch(), new Lsn(2), 0);
    var sent = primary.receive(ack, 0).actions();
    assertThat(sent).singleElement().satisfies(action -> {
      var append = (ToReplica.Append) ((Action.Send) action).message();
      assertThat(append.prevLsn()).isEqualTo(new Lsn(3));
      assertThat(append.entries()).hasSize(64);
    });
  }

  @Test
  void l08_tellsTheCommitAtOnce() {
    var primary = set.established(Node.A, 1, ALL);
    var lsn = set.write(primary, "w");
    set.run(primary, primary.flush(0), ALL);
    for (var node : ALL) {
      assertThat(set.at(node).replica.commit()).isEqualTo(lsn);
    }
  }

  @Test
  void l11_standsBackLongerAfterEveryDefeat() {
    var primary = primary(Node.A);
    var pauses = new ArrayList<Long>();
    for (int i = 1; i <= 7; i++) {
      set.run(
          primary,
          primary.start(new Attempt(new Uid(i, 0), 0.5, true), 0),
          EnumSet.of(Node.A, Node.B));
      var deposed = new FromReplica.Refused(
          ReplicaSet.CLUSTER,
          Node.B.id(),
          primary.epoch(),
          new Epoch(primary.epoch().counter() + 1, Uid.ZERO),
          RefusalReason.EPOCH);
      var down = (Action.SteppedDown) primary.receive(deposed, 0).actions().get(0);
      pauses.add(down.retryAt());
    }
    assertThat(pauses).containsExactly(150L, 300L, 600L, 1_200L, 2_400L, 3_750L, 3_750L);
  }

  @Test
  void l13_changesConfigurationOneCommittedStepAtATime() {
    var primary = set.established(Node.A, 1, ALL);
    var newcomer = new ReplicaId(ReplicaSet.PARTITION, new Uid(0xE0L << 56, 0), 9);
    var next = Configuration.of(List.of(Node.A.id(), Node.B.id(), Node.C.id(), newcomer));
    var joint = new Configuration.Joint((Configuration.Simple) ReplicaSet.ALL, next);
    assertThatThrownBy(() -> primary.propose(EntryKind.CONFIG, next.encode(), 0))
        .isInstanceOf(IllegalStateException.class);
    primary.propose(EntryKind.CONFIG, joint.encode(), 0);
    assertThat(primary.configuration()).isEqualTo(joint);
    assertThatThrownBy(() -> primary.propose(EntryKind.CONFIG, next.encode(), 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void l14_endsWhenNoWriteQuorumAnswers() {
    var primary = set.established(Node.A, 1, ALL);
    set.run(primary, primary.tick(2_999), EnumSet.noneOf(Node.class));
    assertThat(primary.isLeading()).isTrue();
    assertThat(set.run(primary, primary.tick(3_000), EnumSet.noneOf(Node.class)))
        .anyMatch(action -> action instanceof Action.SteppedDown down
            && down.reason() == StepDownReason.QUORUM_LOST);
  }

  @Test
  void splitsAreRefused() {
    var primary = set.established(Node.A, 1, ALL);
    assertThatThrownBy(() -> primary.propose(EntryKind.SPLIT, Bytes.EMPTY, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aQuarantinedMemberCountsForNothingAndIsAlarmedOnce() {
    var primary = set.established(Node.A, 1, ALL);
    set.at(Node.D).replica.quarantine("its disk lied");
    set.write(primary, "w");
    var news = set.run(primary, primary.flush(0), EnumSet.of(Node.A, Node.B, Node.D));
    news.addAll(set.run(primary, primary.tick(100), EnumSet.of(Node.A, Node.D)));
    assertThat(news).noneMatch(Action.Committed.class::isInstance);
    assertThat(news.stream().filter(Action.Alarm.class::isInstance)).hasSize(1);
  }
}
