package dev.partita.runtime.actor;

import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import java.util.concurrent.CompletableFuture;

/**
 * A decided write on its way: made by the logical partition, appended and answered by the primary. The
 * logical partition reads where it was appended to know when the store has it.
 */
final class PendingWrite {
  private final LogicalPartitions.Child child;
  private final Bytes body;
  private final ItemAnswer.Outcome outcome;
  private final Bytes document;
  private final String etag;
  private final int rangeId;
  private final double charge;
  private final CompletableFuture<ItemAnswer> reply;
  private volatile Lsn lsn = Lsn.ZERO;

  PendingWrite(
      LogicalPartitions.Child child,
      Bytes body,
      ItemAnswer.Outcome outcome,
      Bytes document,
      String etag,
      int rangeId,
      double charge,
      CompletableFuture<ItemAnswer> reply) {
    this.child = child;
    this.body = body;
    this.outcome = outcome;
    this.document = document;
    this.etag = etag;
    this.rangeId = rangeId;
    this.charge = charge;
    this.reply = reply;
  }

  LogicalPartitions.Child child() {
    return child;
  }

  /** Body of the log entry. */
  Bytes body() {
    return body;
  }

  CompletableFuture<ItemAnswer> reply() {
    return reply;
  }

  /** Called by the primary, once. */
  void appended(Lsn at) {
    lsn = at;
  }

  /** Where it was appended; zero before that. */
  Lsn lsn() {
    return lsn;
  }

  /** What the caller gets once {@code commit} covers it. */
  ItemAnswer answer(Lsn commit) {
    return new ItemAnswer.Done(
        outcome, document, etag, new Served(rangeId, lsn, commit, lsn, charge));
  }
}
