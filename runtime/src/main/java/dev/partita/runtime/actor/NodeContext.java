package dev.partita.runtime.actor;

import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.model.RequestId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.Attempt;
import dev.partita.runtime.store.ReplicaStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the actors of one node share: who the node is, its store, its clocks and its source of chance.
 *
 * @param clusterId fixed at genesis
 * @param stores uids of this node's stores
 * @param historyId of new replica sets
 * @param store applied state of all replicas here
 * @param locals the replicas here, for readers
 * @param charges what requests cost
 * @param storage where one may wait for the disk
 */
public record NodeContext(
    Uid clusterId,
    List<Uid> stores,
    long historyId,
    ReplicaStore store,
    LocalReplicas locals,
    ChargeModel charges,
    RuntimeSettings settings,
    Executor storage) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Uid PROCESS = new Uid(RANDOM.nextLong(), RANDOM.nextLong());
  private static final AtomicLong REQUESTS = new AtomicLong();

  /** Monotonic milliseconds. */
  long millis() {
    return System.nanoTime() / 1_000_000;
  }

  /** Milliseconds since 1970. */
  long wallClockMillis() {
    return System.currentTimeMillis();
  }

  /** A new id for a request that enters here (E1). */
  RequestId requestId() {
    return new RequestId(PROCESS, REQUESTS.incrementAndGet());
  }

  /** A new attempt to become primary; no two are alike (L1). */
  Attempt attempt() {
    return new Attempt(new Uid(RANDOM.nextLong(), RANDOM.nextLong()), RANDOM.nextDouble(), false);
  }
}
