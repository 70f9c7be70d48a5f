package dev.partita.runtime.replication;

/** What an operator is told (14.1). */
public enum AlarmKind {
  /** The best log of a read quorum lacks what a member has committed (L4). */
  DATA_LOSS_SUSPECTED,
  /** A replica refused an epoch counter as absurd (R1.4). */
  EPOCH_JUMP,
  /** A replica answers that it is quarantined. */
  QUARANTINED
}
