package dev.partita.runtime.item;

import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.item.Decision.Reason;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The items of one logical partition in one epoch of its primary: decides about writes, one after the other,
 * over what is committed and what is proposed but not yet applied. It holds only the latter, and never
 * applies anything itself. Whoever ends the epoch throws it away with its pending writes, whose outcome is
 * then unknown here.
 *
 * <p>The order of calls: {@link #decide}; if that proposes and the entry is sent to the log, {@link #proposed}
 * before the next decision; {@link #appliedThrough} whenever the store has moved on.
 */
public final class LogicalItems {
  /** How many writes may be pending by default. */
  public static final int PENDING_MAX_DEFAULT = 1024;

  private final Bytes effectivePartitionKey;
  private final Bytes partitionKey;
  private final ItemDocument documents;
  private final int pendingMax;

  /** Every pending write, in the order of the log, which is that of the proposals. */
  private final Queue<Pending> pending = new ArrayDeque<>();

  /** The last pending write of each id; never iterated. */
  private final Map<Bytes, Pending> lastById = new HashMap<>();

  private LogicalSize pendingSize = LogicalSize.EMPTY; // counts only while something is pending
  private Decision.@Nullable Propose lastProposal;

  /** What decisions need to know of an item. Documents stay with the log. */
  private record Item(boolean exists, String etag, long number, int bytes) {
    static final Item NONE = new Item(false, "", 0, 0);
  }

  /** A write on its way into the log or in it, and the item after it. */
  private record Pending(Supplier<Lsn> at, Bytes id, Item item) {}

  /**
   * A logical partition without pending writes.
   *
   * @param effectivePartitionKey raw bytes
   * @param partitionKey canonical bytes
   * @param documents of the container
   * @param pendingMax how many writes may be pending, 1 or more
   */
  public LogicalItems(
      Bytes effectivePartitionKey, Bytes partitionKey, ItemDocument documents, int pendingMax) {
    if (pendingMax < 1) {
      throw new IllegalArgumentException("room for " + pendingMax + " pending writes");
    }
    this.effectivePartitionKey = effectivePartitionKey;
    this.partitionKey = partitionKey;
    this.documents = documents;
    this.pendingMax = pendingMax;
  }

  /**
   * Decides about a write of this partition key. Changes nothing: a proposal counts once it is {@link
   * #proposed}.
   *
   * @param nowSeconds wall clock, seconds since 1970
   */
  public Decision decide(
      ItemWrite write,
      CommittedItems committed,
      long nowSeconds,
      EtagSource etags,
      RidSource rids) {
    lastProposal = null;
    if (pending.size() >= pendingMax) {
      return new Decision.Busy();
    }
    Bytes id = Bytes.utf8(write.id());
    Lsn lsn = Lsn.ZERO;
    Item item = Item.NONE;
    Pending pendingWrite = lastById.get(id);
    if (pendingWrite != null) {
      lsn = pendingWrite.at.get();
      item = pendingWrite.item;
    } else {
      StoredItem stored = committed.item(id);
      if (stored != null) {
        lsn = stored.lsn();
        item = new Item(true, stored.etag(), stored.number(), stored.document().length());
      }
    }
    Reason refusal = refusal(write, item);
    if (refusal != null) {
      return new Decision.Refuse(refusal, lsn, item.bytes);
    }
    LogicalSize size = pending.isEmpty() ? committed.size() : pendingSize;
    lastProposal = write.operation() == Operation.DELETE
        ? delete(id, item, size, nowSeconds)
        : put(write, id, item, size, nowSeconds, etags, rids);
    return lastProposal;
  }

  private static @Nullable Reason refusal(ItemWrite write, Item item) {
    if (write.operation() == Operation.CREATE) {
      return item.exists ? Reason.CONFLICT : null;
    } else if (!item.exists) {
      // An etag says which state of an item to replace, so it asks nothing of an insertion.
      return write.operation() == Operation.UPSERT ? null : Reason.NOT_FOUND;
    }
    String ifMatch = write.ifMatch();
    boolean matches = ifMatch == null || ifMatch.equals("*") || ifMatch.equals(item.etag);
    return matches ? null : Reason.PRECONDITION_FAILED;
  }

  private Decision.Propose put(
      ItemWrite write,
      Bytes id,
      Item before,
      LogicalSize size,
      long nowSeconds,
      EtagSource etags,
      RidSource rids) {
    long number = before.exists ? before.number : rids.next();
    String etag = etags.next();
    Bytes document = documents.render(write.body(), number, etag, nowSeconds);
    var delta = new SizeDelta(before.exists ? 0 : 1, document.length() - before.bytes);
    var mutation = new ItemMutation(
        ItemMutation.Kind.PUT,
        effectivePartitionKey,
        partitionKey,
        id,
        document,
        etag,
        nowSeconds,
        number,
        size.plus(delta),
        delta);
    return new Decision.Propose(
        mutation, before.exists ? Outcome.REPLACED : Outcome.CREATED, before.bytes);
  }

  private Decision.Propose delete(Bytes id, Item before, LogicalSize size, long nowSeconds) {
    var delta = new SizeDelta(-1, -before.bytes);
    var mutation = new ItemMutation(
        ItemMutation.Kind.DELETE,
        effectivePartitionKey,
        partitionKey,
        id,
        Bytes.EMPTY,
        "",
        nowSeconds,
        before.number,
        size.plus(delta),
        delta);
    return new Decision.Propose(mutation, Outcome.DELETED, before.bytes);
  }

  /**
   * The proposal of the last decision goes into the log, after all that were proposed before it. It need not
   * be there yet: decisions go on over what it will leave.
   *
   * @param at position of its entry; gives zero until that is known
   * @throws IllegalStateException if it is not the last decision, which may rest on a state without it
   */
  @SuppressWarnings("ReferenceEquality") // one decision, not one that says the same
  public void proposed(Decision.Propose proposal, Supplier<Lsn> at) {
    if (proposal != lastProposal) {
      throw new IllegalStateException("proposed what was not decided last");
    }
    lastProposal = null;
    ItemMutation mutation = proposal.mutation();
    Item item = mutation.kind() == ItemMutation.Kind.PUT
        ? new Item(true, mutation.etag(), mutation.number(), mutation.document().length())
        : Item.NONE;
    var write = new Pending(at, mutation.id(), item);
    pending.add(write);
    lastById.put(write.id, write);
    pendingSize = mutation.logicalSize();
  }

  /** The store shows all entries up to and including this one. */
  public void appliedThrough(Lsn lsn) {
    for (Pending first = pending.peek(); first != null; first = pending.peek()) {
      Lsn at = first.at.get();
      if (at.equals(Lsn.ZERO) || at.isAfter(lsn)) {
        return; // those behind it come later in the log
      }
      pending.remove();
      lastById.remove(first.id, first);
    }
  }

  /** How many writes are proposed and not yet applied. */
  public int pending() {
    return pending.size();
  }
}
