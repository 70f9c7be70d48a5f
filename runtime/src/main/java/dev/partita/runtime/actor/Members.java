package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.ActorContext;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.replication.Action;
import dev.partita.runtime.replication.Configuration;
import dev.partita.runtime.replication.ToReplica;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The replicas of a primary's partition that can be reached, wherever they are hosted, and how to find more. */
final class Members {
  private static final Duration FIND_INTERVAL = Duration.ofSeconds(1);

  private final ActorContext<PhysicalPartitionActor.Command> context;
  private final PhysicalPartitionId partition;
  private final NodeContext node;
  private final SortedMap<ReplicaId, ActorRef<ReplicaActor.Command>> reachable = new TreeMap<>();
  private Set<ActorRef<ReplicaHost.Command>> hosts = Set.of();
  private long findAtMillis;

  Members(
      ActorContext<PhysicalPartitionActor.Command> context,
      PhysicalPartitionId partition,
      NodeContext node) {
    this.context = context;
    this.partition = partition;
    this.node = node;
  }

  /** These hosts are up; asks them who is there. */
  void hosts(Set<ActorRef<ReplicaHost.Command>> up) {
    hosts = up;
    find();
  }

  /** Asks again when it is time, unless all of {@code wanted} are here. */
  void findMissing(Configuration wanted) {
    if (node.millis() >= findAtMillis && !reachable.keySet().containsAll(wanted.members())) {
      find();
    }
  }

  /** Asks again when it is time. */
  void findAny() {
    if (node.millis() >= findAtMillis) {
      find();
    }
  }

  private void find() {
    findAtMillis = node.millis() + FIND_INTERVAL.toMillis();
    hosts.forEach(host -> host.tell(new ReplicaHost.Find(partition, context.getSelf())));
  }

  /** Whether this is news: a replica that was not known, or has been started again. */
  boolean found(PhysicalPartitionActor.MemberFound found) {
    ActorRef<ReplicaActor.Command> known = reachable.get(found.id());
    if (found.replica().equals(known)) {
      return false;
    }
    if (known != null) {
      context.unwatch(known);
    }
    reachable.put(found.id(), found.replica());
    context.watchWith(
        found.replica(), new PhysicalPartitionActor.MemberLost(found.id(), found.replica()));
    return true;
  }

  /** Whether this is news: not about an earlier life of the replica. */
  boolean lost(PhysicalPartitionActor.MemberLost lost) {
    if (!lost.replica().equals(reachable.get(lost.id()))) {
      return false;
    }
    reachable.remove(lost.id());
    findAtMillis = node.millis(); // its host starts it again
    return true;
  }

  boolean isReachable(ReplicaId id) {
    return reachable.containsKey(id);
  }

  Set<ReplicaId> reachable() {
    return Collections.unmodifiableSet(reachable.keySet());
  }

  void broadcast(ToReplica message) {
    reachable
        .values()
        .forEach(replica -> replica.tell(new ReplicaActor.FromPrimary(message, context.getSelf())));
  }

  /** Sends, unless the replica is down: the primary was told, and sends again when it is found. */
  void send(Action.Send send) {
    ActorRef<ReplicaActor.Command> replica = reachable.get(send.to());
    if (replica == null) {
      return;
    }
    if (send.message() instanceof ToReplica.SendSnapshot order) {
      ActorRef<ReplicaActor.Command> target = reachable.get(order.target());
      if (target != null) {
        replica.tell(new ReplicaActor.SendSnapshotTo(order, target, context.getSelf()));
      }
    } else {
      replica.tell(new ReplicaActor.FromPrimary(send.message(), context.getSelf()));
    }
  }
}
