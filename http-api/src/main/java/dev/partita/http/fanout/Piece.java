package dev.partita.http.fanout;

import dev.partita.runtime.api.PageRead.Scope;

/**
 * A part of a feed that one physical partition answers.
 *
 * @param scope what it is asked for
 * @param minInclusive where the part begins in the keyspace, upper-case hexadecimal
 * @param maxExclusive where it ends
 */
record Piece(Scope scope, String minInclusive, String maxExclusive) {}
