package dev.partita.runtime.replication;

/**
 * Times and limits of one primary; times in milliseconds.
 *
 * @param heartbeatMillis between empty Appends, and between repetitions of what was not answered
 * @param standBackMillis how long a healthy primary is left alone before it is deposed (L2)
 * @param quorumLostMillis without a write quorum's answers for so long, the attempt ends (L14)
 * @param backOffMinMillis first pause after being deposed; doubles (L11)
 * @param backOffMaxMillis longest pause
 * @param serviceMillis after so long in service the pause starts small again
 * @param pipelineDepth batches under way to one member
 * @param batchEntries largest batch
 * @param batchBytes a batch ends with the entry that reaches this
 * @param windowBytes committed entries kept in memory for laggards
 * @param fetchBytes asked for at once
 * @param snapshotMillis a snapshot that has not arrived for so long is asked for again
 */
public record PrimarySettings(
    long heartbeatMillis,
    long standBackMillis,
    long quorumLostMillis,
    long backOffMinMillis,
    long backOffMaxMillis,
    long serviceMillis,
    int pipelineDepth,
    int batchEntries,
    long batchBytes,
    long windowBytes,
    long fetchBytes,
    long snapshotMillis) {
  public static final PrimarySettings DEFAULT = new PrimarySettings(
      100, 3_000, 3_000, 200, 5_000, 10_000, 2, 64, 128 << 10, 4L << 20, 1L << 20, 60_000);
}
