package dev.partita.runtime.api;

/** How a change of the catalog ended. */
public sealed interface CatalogAnswer<T> {
  /** The change is durable; {@code value} is the resource after it (before it, for a deletion). */
  record Done<T>(T value) implements CatalogAnswer<T> {}

  /** A resource of that name exists. */
  record Conflict<T>() implements CatalogAnswer<T> {}

  /** The resource, or its owner, does not exist. */
  record NotFound<T>() implements CatalogAnswer<T> {}

  /** The resource has another etag. */
  record PreconditionFailed<T>() implements CatalogAnswer<T> {}

  /** A limit of the account forbids it; {@code message} names the limit. */
  record Forbidden<T>(String message) implements CatalogAnswer<T> {}

  /** Not done, or not known to be done, within the request time-out; {@code message} says why. */
  record Unavailable<T>(String message) implements CatalogAnswer<T> {}
}
