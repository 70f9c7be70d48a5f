package dev.partita.runtime.catalog;

import dev.partita.runtime.api.ItemAnswer;
import dev.partita.runtime.api.ItemWrite;
import java.util.concurrent.CompletableFuture;

/** The rows of the catalog, wherever they are kept. */
public interface CatalogStore {
  /** The catalog as of now: it shows every change that was acknowledged before the call. */
  CompletableFuture<CatalogView> load();

  /** One conditional change of one row. */
  CompletableFuture<ItemAnswer> write(ItemWrite write);
}
