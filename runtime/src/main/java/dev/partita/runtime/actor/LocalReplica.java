package dev.partita.runtime.actor;

import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.store.Area;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.ReplicaRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * What readers see of a replica on this node: where its items are, and how far they go. Its actor alone
 * advances it; anybody may read it or wait for it.
 */
final class LocalReplica {
  private final ReplicaId id;
  private final PartitionDescriptor descriptor;
  private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
  private volatile ReplicaRecord record;
  private volatile Lsn durable = Lsn.ZERO;
  private volatile Lsn committed = Lsn.ZERO;

  private record Waiter(Lsn lsn, CompletableFuture<Void> reached) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      return lsn.compareTo(other.lsn);
    }
  }

  LocalReplica(ReplicaId id, PartitionDescriptor descriptor, ReplicaRecord record) {
    this.id = id;
    this.descriptor = descriptor;
    this.record = record;
  }

  /** Its actor starts again, over what the store has: never less than before. */
  void reopen(ReplicaRecord stored) {
    advance(stored, stored.applied(), stored.applied());
  }

  ReplicaId id() {
    return id;
  }

  PartitionDescriptor descriptor() {
    return descriptor;
  }

  /** Where its items are now. */
  Area area() {
    return new Area(descriptor.lineage(), record.slot());
  }

  /** The record as of the last applied batch. */
  ReplicaRecord record() {
    return record;
  }

  Lsn applied() {
    return record.applied();
  }

  Lsn durable() {
    return durable;
  }

  Lsn committed() {
    return committed;
  }

  /** Called by the replica's actor, after the store holds what the record says. */
  void advance(ReplicaRecord next, Lsn durableNow, Lsn committedNow) {
    durable = durableNow;
    committed = committedNow;
    if (next.applied().equals(record.applied()) && next.slot() == record.slot()) {
      return; // only the log moved on
    }
    List<Waiter> reached = new ArrayList<>();
    synchronized (waiters) {
      record = next;
      for (Waiter first = waiters.peek();
          first != null && first.lsn.compareTo(next.applied()) <= 0;
          first = waiters.peek()) {
        reached.add(waiters.remove());
      }
    }
    reached.forEach(waiter -> waiter.reached.complete(null));
  }

  /** Drops a waiter that gave up. */
  void forget(CompletableFuture<Void> reached) {
    if (!reached.isDone()) {
      synchronized (waiters) {
        waiters.removeIf(waiter -> waiter.reached == reached);
      }
    }
  }

  /**
   * Completes when the replica has applied {@code lsn}. Whoever waits bounds the wait with a time-out, and
   * says so with {@link #forget}.
   */
  CompletableFuture<Void> whenApplied(Lsn lsn) {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    synchronized (waiters) {
      if (lsn.compareTo(record.applied()) > 0) {
        waiters.add(new Waiter(lsn, reached));
        return reached;
      }
    }
    reached.complete(null);
    return reached;
  }
}
