package dev.partita.persistence.journal;

import akka.actor.AbstractExtensionId;
import akka.actor.ClassicActorSystemProvider;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.ExtensionIdProvider;
import com.typesafe.config.Config;
import dev.partita.persistence.log.LogSettings;
import dev.partita.persistence.log.SegmentedLog;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The logs of an actor system, one per directory, opened by the configuration of a journal plugin and
 * closed once all actors of the system have stopped. Everybody in this JVM who names the same
 * directory shares one log; the first one's settings hold.
 */
public final class PartitaLog implements Extension {
  /** Where the journal is configured unless told otherwise. */
  public static final String JOURNAL_PLUGIN_ID = "partita.persistence.journal";

  private static final Id ID = new Id();

  private final ExtendedActorSystem system;
  private final Map<Path, SegmentedLog> opened = new ConcurrentHashMap<>();

  private PartitaLog(ExtendedActorSystem system) {
    this.system = system;
    system.registerOnTermination(this::releaseAll);
  }

  public static PartitaLog get(ClassicActorSystemProvider system) {
    return ID.get(system);
  }

  /** The log of the plugin {@value #JOURNAL_PLUGIN_ID}, opened if it is not open yet. */
  public SegmentedLog log() {
    return log(system.settings().config().getConfig(JOURNAL_PLUGIN_ID));
  }

  /**
   * The log that a journal plugin's configuration names.
   *
   * @throws dev.partita.persistence.log.LogException if it cannot be opened; the message says why
   */
  public SegmentedLog log(Config plugin) {
    var settings = settings(plugin);
    return opened.computeIfAbsent(settings.directory(), directory -> SharedLogs.acquire(settings));
  }

  private void releaseAll() {
    opened.keySet().forEach(SharedLogs::release);
    opened.clear();
  }

  private static LogSettings settings(Config plugin) {
    return LogSettings.in(
            Path.of(plugin.getString("directory")).toAbsolutePath().normalize())
        .withSegmentBytes(Math.toIntExact(plugin.getBytes("segment-size")))
        .withBatchBytes(Math.toIntExact(plugin.getBytes("batch-size")))
        .withQueueBytes(plugin.getBytes("queue-size"))
        .withCompaction(
            plugin.getBytes("compact-at-size"), plugin.getBytes("compact-bytes-per-second"))
        .withReplayChunkBytes(Math.toIntExact(plugin.getBytes("replay-chunk-size")))
        .withReserveBytes(plugin.getBytes("reserve-size"));
  }

  private static final class Id extends AbstractExtensionId<PartitaLog>
      implements ExtensionIdProvider {

    @Override
    public PartitaLog createExtension(ExtendedActorSystem system) {
      return new PartitaLog(system);
    }

    @Override
    public Id lookup() {
      return ID;
    }
  }
}
