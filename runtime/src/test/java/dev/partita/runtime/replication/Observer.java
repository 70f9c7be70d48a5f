package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees everything, and keeps the record that no run may contradict (replication.md section 17). */
final class Observer {
  /** What no run may show. */
  static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String text) {
      super(text);
    }
  }

  private record Committed(Entry entry, Epoch by) {}

  private final List<SimNode> nodes;
  private final int writeQuorum;
  private final List<Committed> record = new ArrayList<>();
  private final Map<Epoch, Integer> primaries = new HashMap<>();
  private final Map<Integer, Long> floors = new HashMap<>();
  final EnumSet<DropReason> dropped = EnumSet.noneOf(DropReason.class);
  final EnumSet<StepDownReason> ended = EnumSet.noneOf(StepDownReason.class);
  int acknowledged;
  int readsAnswered;
  int snapshots;
  int rebases;

  Observer(List<SimNode> nodes, int writeQuorum) {
    this.nodes = nodes;
    this.writeQuorum = writeQuorum;
  }

  static void check(boolean holds, String text, Object... arguments) {
    if (!holds) {
      throw new Violation(String.format(text, arguments));
    }
  }

  /** Everything through here has been committed by some primary. */
  long frontier() {
    return record.size();
  }

  Entry committed(long lsn) {
    return record.get((int) lsn - 1).entry();
  }

  /** I14, and G1: whoever is prepared has all that lower epochs committed before. */
  void leads(int shell, Primary primary) {
    var other = primaries.putIfAbsent(primary.epoch(), shell);
    check(other == null || other == shell, "I14: %s leads twice", primary.epoch());
    var tail = primary.entriesAfter(primary.commit());
    check(primary.commit().value() <= frontier(), "I12: commit %s is nobody's", primary.commit());
    for (long lsn = primary.commit().value() + 1; lsn <= frontier(); lsn++) {
      var committed = record.get((int) lsn - 1);
      if (committed.by().compareTo(primary.epoch()) < 0) {
        int index = (int) (lsn - primary.commit().value() - 1);
        check(
            index < tail.size() && tail.get(index).equals(committed.entry()),
            "G1: %s starts without the committed %s",
            primary.epoch(),
            committed.entry());
      }
    }
  }

  /** G1, L6: what a primary calls committed is durable on a write quorum, and is what it always was. */
  void commits(Primary primary, long from, long through) {
    for (long lsn = from + 1; lsn <= through; lsn++) {
      if (lsn > frontier()) {
        check(lsn == frontier() + 1, "a gap before %s", lsn);
        record.add(new Committed(durable(lsn), primary.epoch()));
      }
      var entry = committed(lsn);
      long copies = nodes.stream().filter(node -> node.durable.holds(entry)).count();
      check(copies >= writeQuorum, "G1: %s is committed on %s replicas", entry, copies);
    }
    var last = committed(through);
    check(last.epoch().equals(primary.epoch()), "L6: %s commits by %s", primary.epoch(), last);
  }

  private Entry durable(long lsn) {
    for (var node : nodes) {
      var entry = node.durable.at(lsn);
      if (entry != null
          && nodes.stream().filter(other -> other.durable.holds(entry)).count() >= writeQuorum) {
        return entry;
      }
    }
    throw new Violation("G1: the committed " + lsn + " is on no write quorum");
  }

  /** A replica's commit rose: it may only follow the record. */
  void follows(SimNode node, long from, long through) {
    check(through <= frontier(), "%s commits %s, primaries %s", node.id, through, frontier());
    var state = node.replica.state();
    for (long lsn = from + 1; lsn <= through; lsn++) {
      var log = state.installed().log();
      if (lsn >= log.first() && lsn <= log.last()) {
        check(log.get(lsn).equals(committed(lsn)), "G1: %s commits %s", node.id, log.get(lsn));
      }
    }
  }

  void stores(SimNode node, Entry entry) {
    check(entry.lsn().value() <= frontier(), "%s applies %s uncommitted", node.id, entry);
    check(entry.equals(committed(entry.lsn().value())), "G1: %s applies %s", node.id, entry);
  }

  /** I6, I1: an answer leaves when what it says is on the disk. */
  void leaves(SimNode node, FromReplica answer) {
    var durable = node.durable;
    if (answer instanceof FromReplica.Appended appended) {
      check(
          durable.promised().compareTo(appended.epoch()) >= 0 || appended.round() < 0,
          "I1: %s left, promised %s",
          appended,
          durable.promised());
      check(
          durable.last() >= appended.match().value(),
          "I6: %s left, durable %s",
          appended,
          durable.last());
    } else if (answer instanceof FromReplica.Promise promise) {
      check(durable.promised().compareTo(promise.epoch()) >= 0, "I1: %s left too early", promise);
      check(durable.last() >= promise.lastLsn().value(), "I6: %s left too early", promise);
    } else if (answer instanceof FromReplica.Mismatched mismatched) {
      check(durable.promised().compareTo(mismatched.epoch()) >= 0, "I1: %s left", mismatched);
    } else if (answer instanceof FromReplica.Refused refused) {
      check(durable.promised().compareTo(refused.promised()) >= 0, "I1: %s left", refused);
    }
  }

  /** The highest LSN that a completed operation has shown for the key. */
  long floor(int key) {
    return floors.getOrDefault(key, 0L);
  }

  /** G2: an acknowledged write lies behind everything that was answered before it was sent. */
  void acknowledges(int key, long lsn, long floor, String body) {
    check(lsn > floor, "G2: a write at %s, answered before: %s", lsn, floor);
    check(committed(lsn).body().utf8().equals(body), "G1: %s is not %s", committed(lsn), body);
    floors.merge(key, lsn, Math::max);
    acknowledged++;
  }

  /** G2: a strong read sees what was answered before it was sent, and nothing uncommitted. */
  void reads(int key, long lsn, long floor) {
    check(lsn >= floor, "G2: a read of key %s saw %s, answered before: %s", key, lsn, floor);
    check(lsn <= frontier(), "G2: a read saw the uncommitted %s", lsn);
    floors.merge(key, lsn, Math::max);
    readsAnswered++;
  }
}
