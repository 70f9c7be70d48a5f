package dev.partita.runtime.item;

import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.RequestId;
import java.util.List;

/** What becomes of a write. */
public sealed interface Decision {
  /**
   * The write may go into the log.
   *
   * @param mutation what it changes
   * @param outcome what its caller is told once it is committed
   * @param previousBytes size of the document that it replaces or deletes; 0 when it creates one
   */
  record Propose(ItemMutation mutation, Outcome outcome, int previousBytes) implements Decision {
    /** The item after the write, to answer with; empty for a deletion. */
    public Bytes document() {
      return mutation.document();
    }

    /** The etag after the write, with its quotes; empty for a deletion. */
    public String etag() {
      return mutation.etag();
    }

    /** What it costs, in request units. */
    public double charge(ChargeModel model) {
      return switch (outcome) {
        case CREATED -> model.create(document().length());
        case REPLACED -> model.replace(previousBytes, document().length());
        case DELETED -> model.delete(previousBytes);
        case READ -> throw new IllegalStateException("a write that reads");
      };
    }

    /**
     * The body of the log entry.
     *
     * @param deadlineMillis in milliseconds of log time
     * @param charge request units
     */
    public WriteBody body(RequestId request, long deadlineMillis, double charge) {
      return new WriteBody(
          request, deadlineMillis, new WriteResult(outcome, etag(), charge), List.of(mutation));
    }
  }

  /**
   * A condition of the write does not hold. This is a read of the item: it may rest on a write that is not
   * committed, so it is answered when that is (replication.md L10).
   *
   * @param reason which condition
   * @param itemLsn of the item's last change, perhaps pending, perhaps its deletion; zero when there is none
   *     or its place in the log is not known yet
   * @param itemBytes size of the document that was looked at, 0 when there is none
   */
  record Refuse(Reason reason, Lsn itemLsn, int itemBytes) implements Decision {
    /** What it costs, in request units. */
    public double charge(ChargeModel model) {
      return model.refusedWrite(itemBytes);
    }
  }

  /** Too many writes of this logical partition are in flight; nothing was done. */
  record Busy() implements Decision {}

  /** The conditions of a write. */
  enum Reason {
    /** No such item. */
    NOT_FOUND,
    /** An item of that id exists. */
    CONFLICT,
    /** The item has another etag. */
    PRECONDITION_FAILED
  }
}
