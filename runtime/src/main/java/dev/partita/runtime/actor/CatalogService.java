package dev.partita.runtime.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import dev.partita.runtime.actor.CoordinatorActor.Performed;
import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.CatalogAnswer;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import dev.partita.runtime.api.NewContainer;
import dev.partita.runtime.api.Throughput;
import dev.partita.runtime.catalog.CatalogView;
import dev.partita.runtime.catalog.CatalogView.ContainerEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The catalog as front ends see it: look-ups in this node's picture, changes by the coordinator. */
final class CatalogService implements Catalog {
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(30);

  private final CatalogRepository repository;
  private final ActorRef<CoordinatorActor.Command> coordinator;
  private final ActorSystem<?> system;

  CatalogService(
      CatalogRepository repository,
      ActorRef<CoordinatorActor.Command> coordinator,
      ActorSystem<?> system) {
    this.repository = repository;
    this.coordinator = coordinator;
    this.system = system;
  }

  @Override
  public CompletableFuture<List<Database>> databases() {
    return repository.renew().thenApplyAsync(CatalogView::databases, system.executionContext());
  }

  @Override
  public CompletableFuture<Optional<Database>> database(String nameOrRid) {
    return find(view -> view.database(nameOrRid));
  }

  @Override
  public CompletableFuture<List<Container>> containers(Database database) {
    return repository
        .renew()
        .thenApplyAsync(
            view -> view.containers(database.rid()).stream()
                .map(ContainerEntry::container)
                .toList(),
            system.executionContext());
  }

  @Override
  public CompletableFuture<Optional<Container>> container(
      String databaseNameOrRid, String nameOrRid) {
    return find(view -> view.database(databaseNameOrRid)
        .flatMap(database -> view.container(database.rid(), nameOrRid))
        .map(ContainerEntry::container));
  }

  private <T> CompletableFuture<Optional<T>> find(Function<CatalogView, Optional<T>> look) {
    Optional<T> known = look.apply(repository.view());
    return known.isPresent()
        ? CompletableFuture.completedFuture(known)
        : repository.renew().thenApplyAsync(look, system.executionContext());
  }

  @Override
  public CompletableFuture<CatalogAnswer<Database>> createDatabase(
      String id, Optional<Throughput> throughput) {
    return perform(new CoordinatorActor.CreateDatabase(id, throughput), Database.class);
  }

  @Override
  public CompletableFuture<CatalogAnswer<Database>> deleteDatabase(
      Database database, Optional<String> ifMatch) {
    return perform(new CoordinatorActor.DeleteDatabase(database, ifMatch), Database.class);
  }

  @Override
  public CompletableFuture<CatalogAnswer<Container>> createContainer(
      Database database, NewContainer definition) {
    return perform(
        new CoordinatorActor.CreateContainer(database.rid(), definition), Container.class);
  }

  @Override
  public CompletableFuture<CatalogAnswer<Container>> replaceContainer(
      Container container, String definitionJson, Optional<String> ifMatch) {
    return perform(
        new CoordinatorActor.ReplaceContainer(container, definitionJson, ifMatch), Container.class);
  }

  @Override
  public CompletableFuture<CatalogAnswer<Container>> deleteContainer(
      Container container, Optional<String> ifMatch) {
    return perform(new CoordinatorActor.DeleteContainer(container, ifMatch), Container.class);
  }

  private <T> CompletableFuture<CatalogAnswer<T>> perform(
      CoordinatorActor.Change change, Class<T> resource) {
    return AskPattern.<CoordinatorActor.Command, Performed>ask(
            coordinator,
            replyTo -> new CoordinatorActor.Perform(change, replyTo),
            CHANGE_TIMEOUT,
            system.scheduler())
        .toCompletableFuture()
        .thenComposeAsync(
            performed -> repository
                .atLeast(performed.catalog())
                .thenApplyAsync(
                    view -> cast(performed.answer(), resource), system.executionContext()),
            system.executionContext())
        .exceptionallyAsync(
            failure -> new CatalogAnswer.Unavailable<>(
                "the coordinator did not answer; the change may have happened or not: read"
                    + " before you retry"),
            system.executionContext());
  }

  /** The coordinator answers about the kind of resource that it was asked to change. */
  private static <T> CatalogAnswer<T> cast(CatalogAnswer<?> answer, Class<T> resource) {
    if (answer instanceof CatalogAnswer.Done<?> done) {
      return new CatalogAnswer.Done<>(resource.cast(done.value()));
    }
    if (answer instanceof CatalogAnswer.Conflict<?>) {
      return new CatalogAnswer.Conflict<>();
    }
    if (answer instanceof CatalogAnswer.NotFound<?>) {
      return new CatalogAnswer.NotFound<>();
    }
    if (answer instanceof CatalogAnswer.PreconditionFailed<?>) {
      return new CatalogAnswer.PreconditionFailed<>();
    }
    if (answer instanceof CatalogAnswer.Forbidden<?> forbidden) {
      return new CatalogAnswer.Forbidden<>(forbidden.message());
    }
    return new CatalogAnswer.Unavailable<>(((CatalogAnswer.Unavailable<?>) answer).message());
  }
}
