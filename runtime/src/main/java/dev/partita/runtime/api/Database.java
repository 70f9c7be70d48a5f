package dev.partita.runtime.api;

import java.util.Optional;

/**
 * A database of the catalog.
 *
 * @param id its name
 * @param rid base64 of 4 bytes
 * @param etag with its quotes
 * @param timestampSeconds of the last change, seconds since 1970
 * @param throughput shared throughput, if it has any
 */
public record Database(
    String id, String rid, String etag, long timestampSeconds, Optional<Throughput> throughput) {}
