package dev.partita.runtime.replication;

import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;

/** One thing that a primary wants done. */
public sealed interface Action {
  /** Send to one replica. */
  record Send(ReplicaId to, ToReplica.ToOne message) implements Action {}

  /** Send to the partition's replica on every host that may have one. */
  record Broadcast(ToReplica.ToAny message) implements Action {}

  /** The log is committed through this LSN: acknowledge the writes up to it. */
  record Committed(Lsn through) implements Action {}

  /** Whoever joined this round or an earlier one has its confirmation (7.2, L10). */
  record RoundConfirmed(long round) implements Action {}

  /** Serve as soon as the installed local replica has applied this LSN (L7). */
  record NoOpCommitted(Lsn lsn) implements Action {}

  /**
   * The attempt is over. Everything appended and not acknowledged has an unknown outcome (L12).
   *
   * @param retryAt when to {@link Primary#start} again, in milliseconds of the caller's clock;
   *     {@link Long#MAX_VALUE} for not by itself
   */
  record SteppedDown(StepDownReason reason, long retryAt) implements Action {}

  /** Somebody should look. */
  record Alarm(AlarmKind kind, String text) implements Action {}

  /** The input was of no use. */
  record Dropped(DropReason reason) implements Action {}
}
