package dev.partita.runtime.replication;

/** Why an input changed nothing and got no answer. */
public enum DropReason {
  /** Of another cluster: worth an alarm (section 3). */
  WRONG_CLUSTER,
  /** For, or from, another partition. */
  WRONG_PARTITION,
  /** For another replica, perhaps one that lived in this place before (R0). */
  WRONG_REPLICA,
  /** The store is being switched to a snapshot; the sender repeats. */
  INSTALLING,
  /** A piece of a snapshot that is not the next one of the transfer under way. */
  OTHER_TRANSFER,
  /** An answer to another attempt or epoch of a primary (L1). */
  OTHER_EPOCH,
  /** An answer that this phase of the primary has no use for. */
  OTHER_PHASE,
  /** From a replica that is not in the configuration in force; it is never counted (I15). */
  NOT_A_MEMBER,
  /** Says what another answer has said already. */
  DUPLICATE
}
