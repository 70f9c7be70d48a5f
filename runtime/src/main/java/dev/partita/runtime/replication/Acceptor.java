package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.replication.FromReplica.Appended;
import dev.partita.runtime.replication.FromReplica.Confirmed;
import dev.partita.runtime.replication.FromReplica.Fetched;
import dev.partita.runtime.replication.FromReplica.Mismatched;
import dev.partita.runtime.replication.FromReplica.ProbeReply;
import dev.partita.runtime.replication.FromReplica.Promise;
import dev.partita.runtime.replication.ToReplica.Append;
import dev.partita.runtime.replication.ToReplica.Confirm;
import dev.partita.runtime.replication.ToReplica.Fetch;
import dev.partita.runtime.replication.ToReplica.InstallBegin;
import dev.partita.runtime.replication.ToReplica.InstallChunk;
import dev.partita.runtime.replication.ToReplica.InstallEnd;
import dev.partita.runtime.replication.ToReplica.Prepare;
import dev.partita.runtime.replication.ToReplica.Probe;
import dev.partita.runtime.replication.ToReplica.SendSnapshot;
import java.util.List;
import java.util.Optional;

/** Promises and accepts: what a replica makes of each message that is meant for it (R1 to R4). */
final class Acceptor implements ToReplica.Handler<Decision> {
  private final ReplicaState state;
  private final Snapshots snapshots;

  Acceptor(ReplicaState state, Snapshots snapshots) {
    this.state = state;
    this.snapshots = snapshots;
  }

  @Override
  public Decision onProbe(Probe probe) {
    long heardAgo = state.heardAt == Long.MIN_VALUE ? Long.MAX_VALUE : state.now - state.heardAt;
    var reply = new ProbeReply(
        state.clusterId,
        state.self,
        probe.attempt(),
        state.promised,
        lastEpoch(),
        new Lsn(state.last()),
        Optional.ofNullable(state.history).map(History::configuration),
        new Lsn(state.commit),
        heardAgo);
    return Decision.answer(Optional.empty(), reply, 0); // a hint, and never more (L2)
  }

  @Override
  public Decision onPrepare(Prepare prepare) {
    var epoch = prepare.epoch();
    int order = epoch.compareTo(state.promised);
    if (order < 0) {
      return state.refuse(epoch, RefusalReason.EPOCH); // R1.2
    }
    if (state.history != null
        && epoch.counter() - state.promised.counter() > state.settings.epochJumpMax()) {
      return state.refuse(epoch, RefusalReason.JUMP); // R1.4
    }
    var event = order == 0 ? Optional.<ReplicaEvent>empty() : Optional.of(promise(epoch)); // R1.5
    return state.answer(event, report(epoch));
  }

  /** R1.6: the end of the log with what is still on its way to the disk; the answer waits for it. */
  private Promise report(Epoch epoch) {
    var history = state.history;
    return new Promise(
        state.clusterId,
        state.self,
        epoch,
        lastEpoch(),
        new Lsn(state.last()),
        history == null ? 0 : history.log().timeAt(state.last()),
        Optional.ofNullable(history).map(History::configuration),
        history == null ? Lsn.ZERO : history.configLsn(),
        new Lsn(state.commit));
  }

  @Override
  public Decision onFetch(Fetch fetch) {
    if (!fetch.epoch().equals(state.promised)) {
      return state.refuse(fetch.epoch(), RefusalReason.EPOCH); // R4
    }
    if (state.history == null) {
      return state.refuse(fetch.epoch(), RefusalReason.EMPTY);
    }
    var log = state.history.log();
    long from = Math.min(fetch.fromLsn().value(), log.last() + 1);
    if (from < log.first()) {
      var base = state.history.base();
      return state.answer(new Fetched(
          state.clusterId,
          state.self,
          fetch.epoch(),
          fetch.fromLsn(),
          base.epoch(),
          List.of(),
          Optional.of(base)));
    }
    return state.answer(new Fetched(
        state.clusterId,
        state.self,
        fetch.epoch(),
        new Lsn(from),
        log.epochAt(from - 1),
        log.slice(from, log.last(), Integer.MAX_VALUE, fetch.bytesMax()),
        Optional.empty()));
  }

  @Override
  public Decision onAppend(Append append) {
    var epoch = append.epoch();
    int order = epoch.compareTo(state.promised);
    if (order < 0) {
      return state.refuse(epoch, RefusalReason.EPOCH); // R2.1
    }
    state.heardAt = state.now;
    if (!epoch.equals(state.verifiedEpoch)) { // R2.3
      state.verifiedEpoch = epoch;
      state.verified = state.commit;
    }
    var history = state.history;
    if (history == null) { // R2.4
      return answer(order > 0, epoch, mismatched(append, 0, true));
    }
    checkContiguous(append);
    return accept(append, history, order > 0);
  }

  private Decision accept(Append append, History history, boolean raise) {
    var log = history.log();
    var entries = append.entries();
    long start = append.prevLsn().value() + 1;
    long match = append.prevLsn().value() + entries.size(); // R2.8: never the end of the log
    long prev = append.prevLsn().value();
    var prevEpoch = append.prevEpoch();
    var base = history.base();
    if (prev < base.lsn().value()) { // R2.5: what lies below the base is committed, hence equal
      prev = Math.min(base.lsn().value(), match);
      prevEpoch = prev >= start ? entries.get((int) (prev - start)).epoch() : prevEpoch;
      if (prev == base.lsn().value() && !prevEpoch.equals(base.epoch())) {
        throw new InvariantViolation("G1", state.self + " has " + base + ", got " + append);
      }
    } else if (prev > log.last() || !log.epochAt(prev).equals(prevEpoch)) { // R2.6
      return answer(
          raise, append.epoch(), mismatched(append, Math.min(log.last(), prev - 1), false));
    }
    long lsn = prev + 1;
    while (lsn <= match && lsn <= log.last() && isHeld(log, entries.get((int) (lsn - start)))) {
      lsn++;
    }
    Optional<ReplicaEvent> event = Optional.empty();
    if (lsn <= match) { // R2.7: cut only where another epoch's entry stands
      if (lsn <= log.last() && lsn <= state.verified) {
        throw new InvariantViolation("I5", state.self + " cuts verified " + lsn + " for " + append);
      }
      var fresh = entries.subList((int) (lsn - start), entries.size());
      event =
          Optional.of(state.make(new ReplicaEvent.Appended(append.epoch(), new Lsn(lsn), fresh)));
    } else if (raise) {
      event = Optional.of(promise(append.epoch())); // R2.2
    }
    state.verified = Math.max(state.verified, match);
    state.commit =
        Math.max(state.commit, Math.min(append.commitLsn().value(), state.verified)); // R2.9
    return state.answer(
        event,
        new Appended(
            state.clusterId, state.self, append.epoch(), new Lsn(match), append.round())); // R2.10
  }

  private boolean isHeld(Log log, Entry entry) {
    var own = log.get(entry.lsn().value());
    if (!own.epoch().equals(entry.epoch())) {
      return false;
    }
    if (!own.equals(entry)) {
      throw new InvariantViolation("I5", state.self + " holds another " + entry);
    }
    return true;
  }

  private void checkContiguous(Append append) {
    long lsn = append.prevLsn().value();
    for (var entry : append.entries()) {
      if (entry.lsn().value() != ++lsn || entry.epoch().compareTo(append.epoch()) > 0) {
        throw new InvariantViolation("I2", entry + " in an Append of " + append.epoch());
      }
    }
  }

  @Override
  public Decision onConfirm(Confirm confirm) {
    if (confirm.epoch().compareTo(state.promised) < 0) {
      return state.refuse(confirm.epoch(), RefusalReason.EPOCH);
    }
    state.heardAt = state.now;
    // R3: nothing to wait for; it says what is not promised, and nothing about the log.
    var answer = new Confirmed(state.clusterId, state.self, confirm.epoch(), confirm.round());
    return Decision.answer(Optional.empty(), answer, 0);
  }

  @Override
  public Decision onSendSnapshot(SendSnapshot request) {
    return snapshots.send(request);
  }

  @Override
  public Decision onInstallBegin(InstallBegin begin) {
    return snapshots.begin(begin);
  }

  @Override
  public Decision onInstallChunk(InstallChunk chunk) {
    return snapshots.chunk(chunk);
  }

  @Override
  public Decision onInstallEnd(InstallEnd end) {
    return snapshots.end(end);
  }

  private ReplicaEvent promise(Epoch epoch) {
    return state.make(new ReplicaEvent.Promised(epoch));
  }

  private Decision answer(boolean raise, Epoch epoch, FromReplica answer) {
    return state.answer(raise ? Optional.of(promise(epoch)) : Optional.empty(), answer);
  }

  private Mismatched mismatched(Append append, long hint, boolean needSnapshot) {
    return new Mismatched(
        state.clusterId,
        state.self,
        append.epoch(),
        append.prevLsn(),
        new Lsn(hint),
        needSnapshot,
        append.round());
  }

  private Epoch lastEpoch() {
    return state.history == null ? Epoch.ZERO : state.history.log().lastEpoch();
  }
}
