package dev.partita.runtime.replication;

/**
 * Limits of one replica.
 *
 * @param epochJumpMax a Prepare with a counter further ahead is refused (R1.4)
 * @param rebaseBytes entries of this size that the store holds durably make a rebase worthwhile
 * @param rebaseEntries as many of them do, too
 * @param windowBytes entries kept in memory behind the base, for laggards
 */
public record ReplicaSettings(
    long epochJumpMax, long rebaseBytes, int rebaseEntries, long windowBytes) {
  public static final ReplicaSettings DEFAULT =
      new ReplicaSettings(1L << 20, 8L << 20, 16_384, 4L << 20);
}
