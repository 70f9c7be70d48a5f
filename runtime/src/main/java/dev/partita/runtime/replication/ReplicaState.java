package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a replica knows (replication.md 4.2). The part that events carry changes through {@link #make} and
 * {@link #replay} only; the rest is volatile.
 */
final class ReplicaState {
  final ReplicaId self;
  final Uid clusterId;
  final ReplicaSettings settings;
  final Unflushed unflushed = new Unflushed();

  Epoch promised = Epoch.ZERO;
  /** Absent while the replica is empty, that is, never installed. */
  @Nullable
  History history;

  long commit;
  long applied;
  /** The epoch whose primary's log this one is known to equal through {@link #verified} (R2.3, R2.8). */
  Epoch verifiedEpoch = Epoch.ZERO;

  long verified;
  long now;
  long heardAt = Long.MIN_VALUE;

  ReplicaState(ReplicaId self, Uid clusterId, ReplicaSettings settings) {
    this.self = self;
    this.clusterId = clusterId;
    this.settings = settings;
  }

  History installed() {
    if (history == null) {
      throw new IllegalStateException(self + " is empty");
    }
    return history;
  }

  long last() {
    return history == null ? 0 : history.log().last();
  }

  /** Changes the state by a new event, which is to be journaled. */
  ReplicaEvent make(ReplicaEvent event) {
    long from = change(event);
    unflushed.add(event, from, last());
    return event;
  }

  /** Changes the state by an event of the past. */
  void replay(ReplicaEvent event) {
    change(event);
  }

  /** Answers from which LSN on the log is another. */
  private long change(ReplicaEvent event) {
    if (event instanceof ReplicaEvent.Promised promise) {
      raise(promise.epoch());
      return last() + 1;
    } else if (event instanceof ReplicaEvent.Appended appended) {
      return append(appended);
    } else {
      return rebase((ReplicaEvent.Rebased) event);
    }
  }

  private void raise(Epoch epoch) {
    if (epoch.compareTo(promised) < 0) {
      throw new InvariantViolation("I1", self + " promised " + promised + ", now " + epoch);
    }
    promised = epoch;
  }

  private long append(ReplicaEvent.Appended event) {
    raise(event.epoch());
    var log = installed();
    long from = event.from().value();
    if (from <= commit) {
      throw new InvariantViolation("I3", self + " cuts at " + from + ", committed " + commit);
    }
    log.cutFrom(from);
    for (var entry : event.entries()) {
      log.append(entry);
    }
    if (log.log().lastEpoch().compareTo(promised) > 0) {
      throw new InvariantViolation("I2", self + " promised " + promised + ", holds " + last());
    }
    return from;
  }

  /** R6.4: a suffix above a matching entry may be acknowledged, and stays; any other is a dead primary's. */
  private long rebase(ReplicaEvent.Rebased event) {
    raise(event.promised());
    var base = event.base();
    if (base.epoch().compareTo(promised) > 0) {
      throw new InvariantViolation("I2", self + " promised " + promised + ", base " + base.epoch());
    }
    long from;
    if (history != null && history.holds(base)) {
      from = last() + 1;
      history.moveBase(base, settings.windowBytes());
    } else {
      from = base.lsn().value() + 1;
      history = new History(base);
    }
    var log = history;
    for (var entry : event.suffix()) {
      if (entry.lsn().value() > last()) {
        log.append(entry);
      }
    }
    return from;
  }

  Decision answer(Optional<ReplicaEvent> event, FromReplica answer) {
    return Decision.answer(event, answer, unflushed.made());
  }

  Decision answer(FromReplica answer) {
    return answer(Optional.empty(), answer);
  }

  /** Waits for the journal as well: a promise that was told must not be forgotten (I1). */
  Decision refuse(Epoch asked, RefusalReason reason) {
    return answer(new FromReplica.Refused(clusterId, self, asked, promised, reason));
  }
}
