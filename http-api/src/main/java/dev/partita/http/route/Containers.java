package dev.partita.http.route;

import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.api.Catalog;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.Database;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the database or container that a path names. Absence is a {@link Refusal} with the right substatus. */
final class Containers {
  /** Views of containers; past that the cache starts anew, since a view is cheap to make. */
  private static final int VIEWS_MAX = 4_096;

  private final Catalog catalog;
  private final Map<String, ContainerView> views = new ConcurrentHashMap<>();

  Containers(Catalog catalog) {
    this.catalog = catalog;
  }

  Catalog catalog() {
    return catalog;
  }

  /** The database at segment 1, as the resource itself or as the owner of one. */
  CompletableFuture<Database> database(Exchange exchange, boolean asOwner) {
    String name = exchange.segment(1);
    return catalog
        .database(name)
        .thenApply(found -> found.orElseThrow(() -> new Refusal(
            asOwner ? ErrorCode.OWNER_NOT_FOUND : ErrorCode.NOT_FOUND,
            "There is no database '" + name + "'.")));
  }

  /** The container at segments 1 and 3, as the resource itself. */
  CompletableFuture<Container> container(Exchange exchange) {
    return catalog
        .container(exchange.segment(1), exchange.segment(3))
        .thenCompose(found -> found.isPresent()
            ? CompletableFuture.completedFuture(found.get())
            : database(exchange, true).thenApply(database -> {
              throw new Refusal(ErrorCode.NOT_FOUND, noContainer(exchange));
            }));
  }

  /** The container at segments 1 and 3, as the owner of items, and the one that the client means. */
  CompletableFuture<ContainerView> owner(Exchange exchange) {
    return catalog
        .container(exchange.segment(1), exchange.segment(3))
        .thenApply(found -> view(exchange, found));
  }

  @SuppressWarnings(
      "ReferenceEquality") // the same version of a container is the same object, or the view is
  // made anew
  private ContainerView view(Exchange exchange, Optional<Container> found) {
    if (found.isEmpty()) {
      throw new Refusal(ErrorCode.OWNER_NOT_FOUND, noContainer(exchange));
    }
    Container container = found.get();
    String intended = exchange.headers().intendedCollectionRid;
    if (intended != null && !intended.equals(container.rid())) {
      throw new Refusal(
          ErrorCode.CONTAINER_RECREATED,
          "The container '" + container.id() + "' has the RID " + container.rid() + ", not "
              + intended + ": it was deleted and created again.");
    }
    ContainerView view = views.get(container.rid());
    if (view == null || view.container() != container) {
      view = ContainerView.of(container);
      if (views.size() >= VIEWS_MAX) {
        views.clear();
      }
      views.put(container.rid(), view);
    }
    return view;
  }

  private static String noContainer(Exchange exchange) {
    return "There is no container '" + exchange.segment(3) + "' in database '" + exchange.segment(1)
        + "'.";
  }
}
