package dev.partita.runtime.api;

import java.util.concurrent.CompletableFuture;

/** Items of containers, by partition key and id. */
public interface Items {
  /** One write. Answers within the request time-out, if need be that the outcome is not known. */
  CompletableFuture<ItemAnswer> write(Container container, ItemWrite write);

  /** One point read. */
  CompletableFuture<ItemAnswer> read(Container container, ItemRead read);

  /** One page of items in the order of the keyspace. */
  CompletableFuture<PageAnswer> page(Container container, PageRead read);
}
