package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.ActorContext;
import dev.partita.runtime.item.EtagSource;
import dev.partita.runtime.item.RidSource;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.store.PartitionDescriptor;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The logical partition entities of a serving primary: one child a partition key in use. They live as long
 * as the primary's attempt; idle ones are stopped, the least recently used first. An entity is idle when it
 * has answered everything and its last write is applied here, so that nothing it knows would be missed.
 */
final class LogicalPartitions {
  /** How many of the eldest are looked at; when all of them are at work, the bound of writes holds. */
  private static final int IDLE_SEARCH_MAX = 32;

  private final ActorContext<PhysicalPartitionActor.Command> context;
  private final PartitionDescriptor descriptor;
  private final NodeContext node;
  private final EtagSource etags;
  private final RidSource rids;
  private final Map<LogicalPartitionKey, Child> children = new LinkedHashMap<>(64, 0.75f, true);
  private Lsn floor;
  private int underWay;

  /** An entity, and what its parent knows of it. */
  static final class Child {
    private final ActorRef<LogicalPartitionEntity.Command> entity;
    private final LogicalPartitions owner;
    private int unanswered;
    private long usedAtMillis;
    private Lsn lastLsn = Lsn.ZERO;

    private Child(ActorRef<LogicalPartitionEntity.Command> entity, LogicalPartitions owner) {
      this.entity = entity;
      this.owner = owner;
    }

    void appended(Lsn lsn) {
      lastLsn = lsn;
    }
  }

  LogicalPartitions(
      ActorContext<PhysicalPartitionActor.Command> context,
      LocalReplica local,
      Epoch epoch,
      Lsn last,
      NodeContext node) {
    this.context = context;
    this.descriptor = local.descriptor();
    this.node = node;
    this.floor = local.applied();
    this.etags = EtagSource.of(local.descriptor().rangeId(), epoch, last);
    this.rids = RidSource.of(local.descriptor().rangeId(), local.record().ridCounter() + 1);
  }

  void decide(PhysicalPartitionActor.Write write) {
    Child child = children.get(write.key());
    if (child == null) {
      child = new Child(entity(), this);
      children.put(write.key(), child);
    }
    child.unanswered++;
    underWay++;
    child.usedAtMillis = node.millis();
    child.entity.tell(new LogicalPartitionEntity.Decide(child, write, floor));
  }

  /** An entity for a key that has none: one that is idle changes over, since starting one costs more. */
  private ActorRef<LogicalPartitionEntity.Command> entity() {
    if (children.size() >= node.settings().logicalPartitionsMax()) {
      Iterator<Child> eldestFirst = children.values().iterator();
      for (int looked = 0; looked < IDLE_SEARCH_MAX && eldestFirst.hasNext(); looked++) {
        Child child = eldestFirst.next();
        if (isIdle(child)) {
          eldestFirst.remove();
          floor = Lsn.max(floor, child.lastLsn);
          return child.entity;
        }
      }
    }
    return context.spawnAnonymous(
        LogicalPartitionEntity.create(descriptor, etags, rids, context.getSelf(), node),
        DispatcherSelector.fromConfig(RuntimeSettings.STORAGE_DISPATCHER));
  }

  boolean owns(Child child) {
    return child.owner == this;
  }

  /** One request of the child has its answer, or its write is committed. */
  void answered(Child child) {
    child.unanswered--;
    underWay--;
  }

  /** Writes that were let through and have no answer yet. */
  int underWay() {
    return underWay;
  }

  void passivateIdle(long nowMillis) {
    long before = nowMillis - node.settings().logicalPartitionIdle().toMillis();
    Iterator<Child> eldestFirst = children.values().iterator();
    while (eldestFirst.hasNext()) {
      Child child = eldestFirst.next();
      if (child.usedAtMillis > before) {
        return; // those that follow were used later
      }
      if (isIdle(child)) {
        stop(child);
        eldestFirst.remove();
      }
    }
  }

  private boolean isIdle(Child child) {
    return child.unanswered == 0
        && !child.lastLsn.isAfter(
            node.locals().furthest(descriptor.id()).map(LocalReplica::applied).orElse(Lsn.ZERO));
  }

  /** What the child wrote, whoever comes after it must see. */
  private void stop(Child child) {
    floor = Lsn.max(floor, child.lastLsn);
    context.stop(child.entity);
  }

  void stop() {
    children.values().forEach(child -> context.stop(child.entity));
    children.clear();
  }
}
