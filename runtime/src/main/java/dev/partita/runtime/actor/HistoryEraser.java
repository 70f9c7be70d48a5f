package dev.partita.runtime.actor;

import akka.actor.Props;
import akka.persistence.AbstractPersistentActor;
import akka.persistence.DeleteMessagesFailure;
import akka.persistence.DeleteMessagesSuccess;
import akka.persistence.Recovery;
import akka.persistence.RecoveryCompleted;
import java.util.concurrent.CompletableFuture;

/** Deletes the whole history of a persistence id that nobody runs any more, then stops. */
final class HistoryEraser extends AbstractPersistentActor {
  private final String persistenceId;
  private final String journalPluginId;
  private final CompletableFuture<Void> erased;

  static Props props(String persistenceId, String journalPluginId, CompletableFuture<Void> erased) {
    return Props.create(
        HistoryEraser.class, () -> new HistoryEraser(persistenceId, journalPluginId, erased));
  }

  private HistoryEraser(
      String persistenceId, String journalPluginId, CompletableFuture<Void> erased) {
    this.persistenceId = persistenceId;
    this.journalPluginId = journalPluginId;
    this.erased = erased;
  }

  @Override
  public String persistenceId() {
    return persistenceId;
  }

  @Override
  public String journalPluginId() {
    return journalPluginId;
  }

  @Override
  public Recovery recovery() {
    return Recovery.none();
  }

  @Override
  public Receive createReceiveRecover() {
    return receiveBuilder()
        .match(RecoveryCompleted.class, completed -> deleteMessages(Long.MAX_VALUE))
        .build();
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(DeleteMessagesSuccess.class, success -> {
          erased.complete(null);
          getContext().stop(self());
        })
        .match(DeleteMessagesFailure.class, failure -> {
          erased.completeExceptionally(failure.cause());
          getContext().stop(self());
        })
        .build();
  }

  @Override
  public void postStop() {
    erased.completeExceptionally(
        new IllegalStateException("stopped before the history was erased"));
  }
}
