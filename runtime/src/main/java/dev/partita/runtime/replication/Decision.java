package dev.partita.runtime.replication;

import java.util.Optional;

/**
 * What a replica makes of one message. The shell persists {@code event}, if any, and sends {@code answer}
 * when the journal holds the event and everything queued before it.
 *
 * @param event to be journaled
 * @param answer to whoever asked; for Install messages to the primary
 * @param after how many events must be durable before the answer leaves (I6): compare with
 *     {@link Replica#eventsFlushed}. A shell that handles nothing while it persists has them when its
 *     persist returns
 * @param work what to do about snapshots, before the next message
 * @param dropped why nothing happened
 */
public record Decision(
    Optional<ReplicaEvent> event,
    Optional<FromReplica> answer,
    long after,
    Optional<SnapshotWork> work,
    Optional<DropReason> dropped) {

  static Decision answer(Optional<ReplicaEvent> event, FromReplica answer, long after) {
    return new Decision(event, Optional.of(answer), after, Optional.empty(), Optional.empty());
  }

  static Decision work(Optional<ReplicaEvent> event, SnapshotWork work) {
    return new Decision(event, Optional.empty(), 0, Optional.of(work), Optional.empty());
  }

  static Decision drop(DropReason reason) {
    return new Decision(
        Optional.empty(), Optional.empty(), 0, Optional.empty(), Optional.of(reason));
  }
}
