package dev.partita.runtime.api;

import java.util.concurrent.CompletableFuture;

/** What a front end knows of the runtime. Nothing here blocks; every stage is completed, in time. */
public interface Partita {
  Catalog catalog();

  Items items();

  /** A picture of the node's cluster for people and scripts. */
  CompletableFuture<StatusReport> status();

  /** Whether a write would succeed now: the system partition is served by a primary with a write quorum. */
  boolean ready();
}
