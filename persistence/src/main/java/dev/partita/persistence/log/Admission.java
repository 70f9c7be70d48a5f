package dev.partita.persistence.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The committer's checks of what comes next against all that came before, the open batch included. */
final class Admission {
  private final LogFaults faults;

  Admission(LogFaults faults) {
    this.faults = faults;
  }

  /** Why a write cannot be part of the open batch, or null if it can. */
  @Nullable
  LogException refusal(Write write) {
    var records = write.records();
    for (int i = 0; i < records.size(); i++) {
      var record = records.get(i);
      if (faults.failsWritesOf(record.persistenceId)) {
        return new LogException.Injected(
            "writes of %s fail on command".formatted(record.persistenceId));
      }
      if (record.isNewEvent() && record.sequenceNr <= highestBefore(records, i)) {
        return new LogException.SecondWriter(
            "%s has an event %d already, up to %d: a second writer is at work, stop one of them"
                .formatted(record.persistenceId, record.sequenceNr, highestBefore(records, i)));
      }
    }
    return null;
  }

  /** The highest sequence number of a record's history, earlier records of its write included. */
  private static long highestBefore(List<LogRecord> records, int at) {
    var history = records.get(at).history;
    for (int i = at - 1; i >= 0; i--) {
      if (records.get(i).history == history && records.get(i).isNewEvent()) {
        return records.get(i).sequenceNr;
      }
    }
    return history == null ? 0 : history.pendingHighest;
  }

  /** Fills in what is known only when the batch is built; false if the record has become pointless. */
  static boolean settle(LogRecord record, History history) {
    switch (record.kind) {
      case Format.EVENT -> {
        if (!record.isNewEvent()) {
          return history.isAt(record.sequenceNr, record.originalSegment, record.originalOffset);
        }
        history.pendingHighest = record.sequenceNr;
      }
      case Format.DELETE -> {
        record.control = history.pendingHighest;
        record.sequenceNr = Math.min(record.sequenceNr, history.pendingHighest);
        return record.sequenceNr > history.deletedTo();
      }
      default -> {
        record.sequenceNr = history.highest();
        record.control = history.deletedTo();
      }
    }
    return true;
  }
}
