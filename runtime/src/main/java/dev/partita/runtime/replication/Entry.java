package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;

/**
 * One position of the log (replication.md 4.1). Equal LSN and epoch mean equal entries, and equal logs
 * before them. Checksums belong to the journal and the wire.
 *
 * @param lsn 1 or more
 * @param epoch of the primary that made it; survives take-overs
 * @param logTime wall clock of the primary in milliseconds, never below that of the entry before (I19)
 * @param body what the kind says; empty for {@link EntryKind#NO_OP}
 */
public record Entry(Lsn lsn, Epoch epoch, EntryKind kind, long logTime, Bytes body) {
  /** What an entry costs beside its body: LSN, epoch, kind, time, framing. */
  static final int OVERHEAD_BYTES = 64;

  public Entry {
    if (lsn.value() < 1) {
      throw new IllegalArgumentException("an entry has an LSN of 1 or more");
    }
  }

  /** What the entry counts against limits in bytes. */
  public int sizeBytes() {
    return OVERHEAD_BYTES + body.length();
  }

  @Override
  public String toString() {
    return lsn + "/" + epoch + " " + kind;
  }
}
