package dev.partita.runtime.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Databases and containers. Look-ups come from a cache and are usually complete on return; a name that the
 * cache does not know is looked up in the system partition before the answer is "absent". Every look-up
 * takes a name or a RID.
 */
public interface Catalog {
  CompletableFuture<List<Database>> databases();

  CompletableFuture<Optional<Database>> database(String nameOrRid);

  CompletableFuture<List<Container>> containers(Database database);

  CompletableFuture<Optional<Container>> container(String databaseNameOrRid, String nameOrRid);

  CompletableFuture<CatalogAnswer<Database>> createDatabase(
      String id, Optional<Throughput> throughput);

  /** Deletes a database with all its containers. */
  CompletableFuture<CatalogAnswer<Database>> deleteDatabase(
      Database database, Optional<String> ifMatch);

  CompletableFuture<CatalogAnswer<Container>> createContainer(
      Database database, NewContainer definition);

  /** Replaces the definition; id and partition key have been checked to be the same by the caller. */
  CompletableFuture<CatalogAnswer<Container>> replaceContainer(
      Container container, String definitionJson, Optional<String> ifMatch);

  CompletableFuture<CatalogAnswer<Container>> deleteContainer(
      Container container, Optional<String> ifMatch);
}
