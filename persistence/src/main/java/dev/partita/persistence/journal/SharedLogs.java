package dev.partita.persistence.journal;

import dev.partita.persistence.log.LogSettings;
import dev.partita.persistence.log.SegmentedLog;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The open logs of this JVM by directory, each open as long as somebody uses it. */
final class SharedLogs {
  private static final Map<Path, Shared> logs = new HashMap<>();

  private SharedLogs() {}

  private static final class Shared {
    private final SegmentedLog log;
    private int users;

    private Shared(SegmentedLog log) {
      this.log = log;
    }
  }

  static synchronized SegmentedLog acquire(LogSettings settings) {
    var shared = logs.computeIfAbsent(
        settings.directory(), directory -> new Shared(SegmentedLog.open(settings)));
    shared.users++;
    return shared.log;
  }

  static synchronized void release(Path directory) {
    var shared = logs.get(directory);
    if (shared != null && --shared.users == 0) {
      logs.remove(directory);
      shared.log.close();
    }
  }
}
