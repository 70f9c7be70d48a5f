package dev.partita.persistence.engine;

/**
 * What the store uses now; all in bytes but the last.
 *
 * @param memtableBytes written and not yet flushed, or being flushed
 * @param liveFileBytes in files that hold current data
 * @param blockCacheBytes used of the block cache, write buffers included
 * @param compactionPendingBytes that compaction has still to rewrite
 * @param backgroundErrors flushes and compactions that have failed since the store was opened
 */
public record ItemStoreMetrics(
    long memtableBytes,
    long liveFileBytes,
    long blockCacheBytes,
    long compactionPendingBytes,
    long backgroundErrors) {}
