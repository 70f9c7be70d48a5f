package dev.partita.persistence.log;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Failures on command, for the people and tests that want to see what a system makes of them. They
 * fail cleanly: nothing of a failed write reaches the disk, and other writes go on.
 */
public final class LogFaults {
  private final Set<String> failingIds = ConcurrentHashMap.newKeySet();
  private volatile boolean diskFull;

  LogFaults() {}

  /** From now on every write that touches this persistence id fails with {@link LogException.Injected}. */
  public void failWritesOf(String persistenceId) {
    failingIds.add(persistenceId);
  }

  /** Ends what {@link #failWritesOf} began. */
  public void heal(String persistenceId) {
    failingIds.remove(persistenceId);
  }

  /** While set, no segment can be allocated, as if the volume were full. */
  public void diskFull(boolean full) {
    diskFull = full;
  }

  boolean failsWritesOf(String persistenceId) {
    return !failingIds.isEmpty() && failingIds.contains(persistenceId);
  }

  boolean isDiskFull() {
    return diskFull;
  }
}
