package dev.partita.runtime.replication;

/** Why an attempt to be primary ended. */
public enum StepDownReason {
  /** A member promised a higher epoch (L11). */
  DEPOSED,
  /** No write quorum answered for a while, or preparing took as long (L14). */
  QUORUM_LOST,
  /** A member has committed what the best log lacks (L4): nothing is served until a person has looked. */
  DATA_LOSS_SUSPECTED,
  /** It was asked to stop (H2). */
  STOPPED
}
