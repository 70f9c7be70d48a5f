package dev.partita.runtime.actor;

import com.typesafe.config.Config;
import dev.partita.runtime.replication.PrimarySettings;
import dev.partita.runtime.replication.ReplicaSettings;
import java.time.Duration;

/**
 * Settings of the shell, from {@code partita.runtime}; reference.conf says what each is for.
 *
 * @param journalPluginId Akka Persistence journal of replicas and hosts
 * @param requestTimeout after which a request is answered, whatever became of it
 * @param sessionWait how long a read waits for a replica to reach its session token
 * @param tick of a primary: heartbeats, re-sends and time-outs hang on it
 * @param pendingWritesMax writes that a physical partition has accepted and not yet answered
 * @param logicalPartitionsMax logical partition entities a physical partition keeps when they are idle
 * @param logicalPartitionIdle after which an idle entity is stopped
 * @param flushInterval how often applied state is made durable when there was a change
 * @param flushBytes applied but not durable bytes that start a flush before its time
 * @param applyEntriesMax entries applied in one batch of the store
 * @param applyBytesMax bytes applied in one batch of the store
 * @param primary of every primary
 * @param replica of every replica
 */
public record RuntimeSettings(
    String journalPluginId,
    Duration requestTimeout,
    Duration sessionWait,
    Duration tick,
    int pendingWritesMax,
    int logicalPartitionsMax,
    Duration logicalPartitionIdle,
    Duration flushInterval,
    long flushBytes,
    int applyEntriesMax,
    long applyBytesMax,
    PrimarySettings primary,
    ReplicaSettings replica) {

  static final String STORAGE_DISPATCHER = "partita.runtime.storage-dispatcher";

  /** Reads the section {@code partita.runtime}. */
  public static RuntimeSettings of(Config root) {
    Config config = root.getConfig("partita.runtime");
    return new RuntimeSettings(
        config.getString("journal-plugin-id"),
        config.getDuration("request-timeout"),
        config.getDuration("session-wait"),
        config.getDuration("tick"),
        config.getInt("pending-writes-max"),
        config.getInt("logical-partitions-max"),
        config.getDuration("logical-partition-idle"),
        config.getDuration("flush-interval"),
        config.getBytes("flush-bytes"),
        config.getInt("apply-entries-max"),
        config.getBytes("apply-bytes-max"),
        primary(config.getConfig("primary")),
        replica(config.getConfig("replica")));
  }

  private static PrimarySettings primary(Config config) {
    return new PrimarySettings(
        config.getDuration("heartbeat").toMillis(),
        config.getDuration("stand-back").toMillis(),
        config.getDuration("quorum-lost-after").toMillis(),
        config.getDuration("back-off-min").toMillis(),
        config.getDuration("back-off-max").toMillis(),
        config.getDuration("service").toMillis(),
        config.getInt("pipeline-depth"),
        config.getInt("batch-entries"),
        config.getBytes("batch-bytes"),
        config.getBytes("window-bytes"),
        config.getBytes("fetch-bytes"),
        config.getDuration("snapshot-after").toMillis());
  }

  private static ReplicaSettings replica(Config config) {
    return new ReplicaSettings(
        config.getLong("epoch-jump-max"),
        config.getBytes("rebase-bytes"),
        config.getInt("rebase-entries"),
        config.getBytes("window-bytes"));
  }
}
