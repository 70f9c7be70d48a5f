package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.FromReplica.Fetched;
import dev.partita.runtime.replication.FromReplica.ProbeReply;
import dev.partita.runtime.replication.FromReplica.Promise;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An attempt from its start to the log it will continue: probe, prepare, fetch (L2 to L4). */
final class TakeOver {
  private final Uid clusterId;
  private final PhysicalPartitionId partition;
  private final Optional<ReplicaId> local;
  private final PrimarySettings settings;
  private final Attempt attempt;
  private final long startedAt;

  private final TreeMap<ReplicaId, ProbeReply> replies = new TreeMap<>();
  private final TreeMap<ReplicaId, Promise> promises = new TreeMap<>();
  private Primary.Phase phase = Primary.Phase.PROBE;
  private long phaseSince;
  private long sentAt;
  private Epoch epoch = Epoch.ZERO;
  private long counterSeen;
  private @Nullable Promise best;
  private @Nullable Log log;
  private long commit;
  private boolean complete;
  private boolean dataLost;

  TakeOver(
      Uid clusterId,
      PhysicalPartitionId partition,
      Optional<ReplicaId> local,
      PrimarySettings settings,
      Attempt attempt,
      long counterSeen,
      long now) {
    this.clusterId = clusterId;
    this.partition = partition;
    this.local = local;
    this.settings = settings;
    this.attempt = attempt;
    this.counterSeen = counterSeen;
    this.startedAt = now;
    this.phaseSince = now;
    this.sentAt = now - settings.heartbeatMillis();
  }

  Primary.Phase phase() {
    return phase;
  }

  Epoch epoch() {
    return epoch;
  }

  /** Whether the log to continue is here: then {@link #log}, {@link #best} and {@link #commit} are fixed. */
  boolean isComplete() {
    return complete;
  }

  /** Whether a member has committed more than the best log holds (L4). */
  boolean isDataLost() {
    return dataLost;
  }

  /** Whether the attempt got nowhere for too long. Probing promises nothing, so it may go on for ever. */
  boolean isStuck(long now) {
    return phase != Primary.Phase.PROBE && now - phaseSince >= settings.quorumLostMillis();
  }

  /** Whether {@code id} counts, as far as anything is known about who does. */
  boolean isMember(ReplicaId id) {
    return configuration().map(c -> c.contains(id)).orElse(false);
  }

  Promise best() {
    return known(best);
  }

  Log log() {
    return known(log);
  }

  long commit() {
    return commit;
  }

  @Nullable
  Promise promise(ReplicaId member) {
    return promises.get(member);
  }

  void tick(long now, List<Action> out) {
    if (now - sentAt >= settings.heartbeatMillis()) {
      send(now, out);
    }
  }

  private void send(long now, List<Action> out) {
    sentAt = now;
    switch (phase) {
      case PROBE -> {
        replies.clear(); // what they said of a primary they heard is out of date
        out.add(new Action.Broadcast(new ToReplica.Probe(clusterId, partition, attempt.uid())));
      }
      case PREPARE ->
        out.add(new Action.Broadcast(new ToReplica.Prepare(clusterId, partition, epoch)));
      default -> {
        var from = best().from();
        out.add(new Action.Send(
            from,
            new ToReplica.Fetch(
                clusterId, from, epoch, new Lsn(nextToFetch()), settings.fetchBytes())));
      }
    }
  }

  void onProbeReply(ProbeReply reply, long now, List<Action> out) {
    if (!reply.attempt().equals(attempt.uid())) {
      out.add(new Action.Dropped(DropReason.OTHER_EPOCH));
      return;
    }
    if (phase != Primary.Phase.PROBE) {
      out.add(new Action.Dropped(DropReason.OTHER_PHASE));
      return;
    }
    replies.put(reply.from(), reply);
    counterSeen = Math.max(counterSeen, reply.promised().counter());
    var configuration = configuration();
    if (configuration.isEmpty() || !configuration.get().isReadQuorum(replies::containsKey)) {
      return;
    }
    boolean heard = configuration.get().isReadQuorum(id -> heardAPrimary(replies.get(id)));
    if (!heard || attempt.handover() || now - startedAt >= settings.standBackMillis()) {
      epoch = new Epoch(counterSeen + 1, attempt.uid());
      enter(Primary.Phase.PREPARE, now, out);
    }
  }

  private boolean heardAPrimary(@Nullable ProbeReply reply) {
    return reply != null && reply.heardAgoMillis() <= 2 * settings.heartbeatMillis();
  }

  void onPromise(Promise promise, long now, List<Action> out) {
    if (phase != Primary.Phase.PREPARE) {
      out.add(new Action.Dropped(DropReason.OTHER_PHASE));
      return;
    }
    if (promises.putIfAbsent(promise.from(), promise) != null) {
      out.add(new Action.Dropped(DropReason.DUPLICATE));
      return;
    }
    if (best == null || isBetter(promise, best)) {
      best = promise;
    }
    var configuration = best.config();
    if (configuration.isPresent() && configuration.get().isReadQuorum(promises::containsKey)) {
      adopt(now, out);
    }
  }

  /** L3: of all answers, members' or not; an empty replica's never wins, and at equality ours does. */
  private boolean isBetter(Promise a, Promise b) {
    int order = a.lastEpoch().compareTo(b.lastEpoch());
    if (order == 0) {
      order = a.lastLsn().compareTo(b.lastLsn());
    }
    if (order == 0) {
      order = Boolean.compare(a.config().isPresent(), b.config().isPresent());
    }
    return order > 0 || (order == 0 && local.isPresent() && a.from().equals(local.get()));
  }

  private void adopt(long now, List<Action> out) {
    var chosen = best();
    for (var promise : promises.values()) {
      commit = Math.max(commit, promise.commit().value());
    }
    if (commit > chosen.lastLsn().value()) {
      dataLost = true;
      return;
    }
    if (chosen.lastEpoch().compareTo(epoch) >= 0) {
      throw new InvariantViolation("I12", epoch + " adopts a log of " + chosen.lastEpoch());
    }
    if (commit == chosen.lastLsn().value()) {
      log = new Log(commit, chosen.lastEpoch(), chosen.lastLogTime());
      complete = true;
    } else {
      enter(Primary.Phase.FETCH, now, out);
    }
  }

  void onFetched(Fetched fetched, long now, List<Action> out) {
    if (phase != Primary.Phase.FETCH || !fetched.from().equals(best().from())) {
      out.add(new Action.Dropped(DropReason.OTHER_PHASE));
      return;
    }
    long expected = nextToFetch();
    if (fetched.fromLsn().value() != expected) {
      out.add(new Action.Dropped(DropReason.DUPLICATE));
      return;
    }
    if (fetched.base().isPresent() || fetched.entries().isEmpty()) {
      throw new InvariantViolation("R4", "the log of " + best() + " lacks " + expected);
    }
    if (log == null) {
      log = new Log(commit, fetched.prevEpoch(), Long.MIN_VALUE);
    }
    for (var entry : fetched.entries()) {
      log.append(entry);
    }
    if (log.last() < best().lastLsn().value()) {
      send(now, out);
      phaseSince = now;
    } else if (log.last() == best().lastLsn().value()
        && log.lastEpoch().equals(best().lastEpoch())) {
      complete = true;
    } else {
      throw new InvariantViolation("I12", "fetched to " + log.last() + ", reported " + best());
    }
  }

  private long nextToFetch() {
    return (log == null ? commit : log.last()) + 1;
  }

  private void enter(Primary.Phase next, long now, List<Action> out) {
    phase = next;
    phaseSince = now;
    send(now, out);
  }

  /** That of the best answer so far. */
  private Optional<Configuration> configuration() {
    if (best != null) {
      return best.config();
    }
    ProbeReply first = null;
    for (var reply : replies.values()) {
      if (reply.config().isPresent() && (first == null || isBetter(reply, first))) {
        first = reply;
      }
    }
    return first == null ? Optional.empty() : first.config();
  }

  private static boolean isBetter(ProbeReply a, ProbeReply b) {
    int order = a.lastEpoch().compareTo(b.lastEpoch());
    return order > 0 || (order == 0 && a.lastLsn().isAfter(b.lastLsn()));
  }

  private static <T> T known(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("the take-over has not come so far");
    }
    return value;
  }
}
