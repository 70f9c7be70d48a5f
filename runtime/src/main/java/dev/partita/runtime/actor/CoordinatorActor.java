package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.receptionist.Receptionist;
import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.api.NewContainer;
import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.catalog.CatalogChanges;
import dev.partita.runtime.model.Lsn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The coordinator: a cluster singleton that changes the catalog, one change at a time, and brings the hosts
 * in line with it when it starts. Keeps nothing that matters: a second one would be harmless, since every
 * step is a conditional write.
 */
public final class CoordinatorActor extends AbstractBehavior<CoordinatorActor.Command> {
  /** Changes that may wait; above it the caller is told to come back. */
  static final int WAITING_MAX = 1_000;

  private static final Duration RECONCILE_RETRY = Duration.ofMillis(250);

  /** What a coordinator is told. */
  public sealed interface Command {}

  /** A change of the catalog. */
  public sealed interface Change {}

  public record CreateDatabase(String id, Optional<Throughput> throughput) implements Change {}

  public record DeleteDatabase(Database database, Optional<String> ifMatch) implements Change {}

  public record CreateContainer(String databaseRid, NewContainer definition) implements Change {}

  public record ReplaceContainer(
      Container container, String definitionJson, Optional<String> ifMatch) implements Change {}

  public record DeleteContainer(Container container, Optional<String> ifMatch) implements Change {}

  /** Do this and answer. */
  public record Perform(Change change, ActorRef<Performed> replyTo) implements Command {}

  /**
   * How a change ended.
   *
   * @param catalog a picture of the catalog at this LSN shows it
   */
  public record Performed(CatalogAnswer<?> answer, Lsn catalog) {}

  /** Answered with whether the hosts have been brought in line with the catalog. */
  public record GetReady(ActorRef<Ready> replyTo) implements Command {}

  /** See {@link GetReady}. */
  public record Ready(boolean ready) {}

  private record Finished(Performed performed, ActorRef<Performed> replyTo) implements Command {}

  private record Reconciled(Optional<String> failure) implements Command {}

  private record Hosts(Set<ActorRef<ReplicaHost.Command>> hosts) implements Command {}

  private record HostStores(ReplicaHost.Stores stores) implements Command {}

  private enum Own implements Command {
    RECONCILE
  }

  static Behavior<Command> create(
      CatalogRepository catalog, ItemsGateway gateway, NodeContext node) {
    return Behaviors.setup(context -> Behaviors.withTimers(
        timers -> new CoordinatorActor(context, timers, catalog, gateway, node)));
  }

  private final TimerScheduler<Command> timers;
  private final CatalogRepository catalog;
  private final HostOrders orders;
  private final CatalogChanges changes;
  private final ActorRef<ReplicaHost.Stores> storesAdapter;
  private final ArrayDeque<Perform> waiting = new ArrayDeque<>();
  private boolean reconciled;
  private boolean busy;

  private CoordinatorActor(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      CatalogRepository catalog,
      ItemsGateway gateway,
      NodeContext node) {
    super(context);
    this.timers = timers;
    this.catalog = catalog;
    this.orders = new HostOrders(context.getSystem(), gateway);
    this.changes = new CatalogChanges(catalog, orders, node.storage());
    this.storesAdapter = context.messageAdapter(ReplicaHost.Stores.class, HostStores::new);
    ActorRef<Receptionist.Listing> listings = context.messageAdapter(
        Receptionist.Listing.class,
        listing -> new Hosts(listing.getServiceInstances(ReplicaHost.SERVICE_KEY)));
    context
        .getSystem()
        .receptionist()
        .tell(Receptionist.subscribe(ReplicaHost.SERVICE_KEY, listings));
    context.getSelf().tell(Own.RECONCILE);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Perform.class, this::onPerform)
        .onMessage(Finished.class, this::onFinished)
        .onMessage(GetReady.class, this::onGetReady)
        .onMessage(Hosts.class, this::onHosts)
        .onMessage(HostStores.class, this::onHostStores)
        .onMessage(Own.class, own -> onReconcile())
        .onMessage(Reconciled.class, this::onReconciled)
        .build();
  }

  private Behavior<Command> onHosts(Hosts found) {
    orders.keep(found.hosts());
    found.hosts().forEach(host -> host.tell(new ReplicaHost.GetStores(storesAdapter)));
    return this;
  }

  private Behavior<Command> onHostStores(HostStores answer) {
    orders.add(answer.stores());
    return this;
  }

  private Behavior<Command> onReconcile() {
    getContext()
        .pipeToSelf(
            changes.reconcile(),
            (view, failure) ->
                new Reconciled(failure == null ? Optional.empty() : Optional.of(message(failure))));
    return this;
  }

  private Behavior<Command> onReconciled(Reconciled outcome) {
    if (outcome.failure().isPresent()) {
      getContext().getLog().debug("the catalog waits: {}", outcome.failure().get());
      timers.startSingleTimer(Own.RECONCILE, RECONCILE_RETRY);
      return this;
    }
    reconciled = true;
    performNext();
    return this;
  }

  private Behavior<Command> onGetReady(GetReady ask) {
    ask.replyTo().tell(new Ready(reconciled));
    return this;
  }

  private Behavior<Command> onPerform(Perform perform) {
    if (waiting.size() >= WAITING_MAX) {
      perform
          .replyTo()
          .tell(new Performed(
              new CatalogAnswer.Unavailable<>(
                  WAITING_MAX + " changes of the catalog are waiting; try again"),
              Lsn.ZERO));
      return this;
    }
    waiting.add(perform);
    performNext();
    return this;
  }

  private void performNext() {
    if (busy || !reconciled || waiting.isEmpty()) {
      return;
    }
    busy = true;
    Perform next = waiting.remove();
    getContext()
        .pipeToSelf(
            perform(next.change()),
            (answer, failure) -> new Finished(
                new Performed(
                    failure == null ? answer : new CatalogAnswer.Unavailable<>(message(failure)),
                    catalog.view().lsn()),
                next.replyTo()));
  }

  private CompletableFuture<? extends CatalogAnswer<?>> perform(Change change) {
    if (change instanceof CreateDatabase create) {
      return changes.createDatabase(create.id(), create.throughput());
    }
    if (change instanceof DeleteDatabase delete) {
      return changes.deleteDatabase(delete.database(), delete.ifMatch());
    }
    if (change instanceof CreateContainer create) {
      return changes.createContainer(create.databaseRid(), create.definition());
    }
    if (change instanceof ReplaceContainer replace) {
      return changes.replaceContainer(
          replace.container(), replace.definitionJson(), replace.ifMatch());
    }
    DeleteContainer delete = (DeleteContainer) change;
    return changes.deleteContainer(delete.container(), delete.ifMatch());
  }

  private Behavior<Command> onFinished(Finished finished) {
    busy = false;
    finished.replyTo().tell(finished.performed());
    performNext();
    return this;
  }

  private static String message(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String text = cause.getMessage();
    return text == null ? cause.getClass().getSimpleName() : text;
  }
}
