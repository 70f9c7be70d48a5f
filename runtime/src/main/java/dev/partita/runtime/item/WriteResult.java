package dev.partita.runtime.item;

import dev.partita.runtime.api.ItemAnswer.Outcome;

/**
 * What the caller of a write is told when it is committed, and again whenever it repeats the request.
 *
 * @param outcome CREATED, REPLACED or DELETED
 * @param etag of the new state, with its quotes; empty for a deletion
 * @param charge request units
 */
public record WriteResult(Outcome outcome, String etag, double charge) {}
