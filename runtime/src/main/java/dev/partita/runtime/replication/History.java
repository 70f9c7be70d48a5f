package dev.partita.runtime.replication;

import dev.partita.runtime.model.Lsn;
import java.util.TreeMap;

/** The log of an installed replica above its base, some of it below, and the configurations along it. */
final class History {
  private final Log log;
  /** By the LSN of its entry; the lowest is the base's. */
  private final TreeMap<Long, Configuration> configs = new TreeMap<>();

  private Base base;

  History(Base base) {
    this.base = base;
    this.log = new Log(base.lsn().value(), base.epoch(), base.logTime());
    configs.put(base.configLsn().value(), base.config());
  }

  Log log() {
    return log;
  }

  Base base() {
    return base;
  }

  /** In force at the end of the log. */
  Configuration configuration() {
    return configs.lastEntry().getValue();
  }

  Lsn configLsn() {
    return new Lsn(configs.lastKey());
  }

  /** The position {@code lsn}, at or above the base. */
  Base at(long lsn) {
    var config = configs.floorEntry(lsn);
    return new Base(
        new Lsn(lsn),
        log.epochAt(lsn),
        config.getValue(),
        new Lsn(config.getKey()),
        log.timeAt(lsn),
        base.historyId());
  }

  /** Whether the log passes through this position. */
  boolean holds(Base position) {
    long lsn = position.lsn().value();
    return lsn >= base.lsn().value()
        && lsn <= log.last()
        && log.epochAt(lsn).equals(position.epoch());
  }

  void append(Entry entry) {
    if (entry.kind() == EntryKind.SPLIT) {
      throw new InvariantViolation("I8", "a replica set that cannot split got " + entry);
    }
    if (entry.kind() == EntryKind.CONFIG) {
      var next = Configuration.decode(entry.body());
      if (!next.follows(configuration())) {
        throw new InvariantViolation("I9", entry + ": " + next + " after " + configuration());
      }
      configs.put(entry.lsn().value(), next);
    }
    log.append(entry);
  }

  void cutFrom(long lsn) {
    if (lsn <= base.lsn().value()) {
      throw new InvariantViolation("I3", "a cut from " + lsn + " below " + base.lsn());
    }
    log.cutFrom(lsn);
    configs.tailMap(lsn, true).clear();
  }

  /** Moves the base up to a position of the log, and keeps {@code windowBytes} of entries behind it. */
  void moveBase(Base to, long windowBytes) {
    base = to;
    configs.headMap(to.configLsn().value(), false).clear();
    log.dropOldest(to.lsn().value(), windowBytes);
  }
}
