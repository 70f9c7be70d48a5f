package dev.partita.runtime.replication;

/** Why a replica refused a request. */
public enum RefusalReason {
  /** It promised a higher epoch, or does not hold exactly this one where that is required. */
  EPOCH,
  /** The counter is absurdly far ahead of what it promised (R1.4): somebody's epoch is corrupt. */
  JUMP,
  /** It does not trust its own disk (14.1); it counts for nothing. */
  QUARANTINED,
  /** Asked for a snapshot it does not have: it was never installed (R5). */
  EMPTY
}
