package dev.partita.persistence.log;

/**
 * The log in figures, at one moment.
 *
 * @param segments segment files in use
 * @param totalBytes bytes of those files
 * @param liveBytes bytes of events that can still be replayed
 * @param persistenceIds ids the log knows, including those without a live event
 * @param queuedBytes bytes that wait for the committer
 * @param batches flushes since the log was opened, one sync each
 * @param records records in those flushes
 * @param writtenBytes bytes in those flushes
 */
public record LogStats(
    int segments,
    long totalBytes,
    long liveBytes,
    int persistenceIds,
    long queuedBytes,
    long batches,
    long records,
    long writtenBytes) {}
