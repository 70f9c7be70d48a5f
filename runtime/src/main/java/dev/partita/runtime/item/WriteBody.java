package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.RequestId;
import java.util.List;

/**
 * The body of a write's log entry: what it changes, all or nothing, and what its caller is told
 * (replication.md 4.1). {@link WriteBodyCodec} has its layout.
 *
 * @param request who asked, the same in all attempts
 * @param deadlineMillis in milliseconds of log time: no attempt is appended later than that
 * @param result what the caller is told
 * @param mutations in the order they take effect, at least one
 */
public record WriteBody(
    RequestId request, long deadlineMillis, WriteResult result, List<ItemMutation> mutations) {
  public WriteBody {
    mutations = List.copyOf(mutations);
    if (mutations.isEmpty()) {
      throw new IllegalArgumentException("a write without mutations");
    }
  }

  /** The bytes of the log entry, in an array of their own. */
  public Bytes encode() {
    return WriteBodyCodec.encode(this);
  }

  /**
   * Reads what {@link #encode} wrote, or what a later version did with fields that this one does not know.
   * Keys, ids and documents are slices of the same array.
   *
   * @throws IllegalArgumentException if these are other bytes
   */
  public static WriteBody decode(Bytes body) {
    return WriteBodyCodec.decode(body);
  }
}
