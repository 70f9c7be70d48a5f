package dev.partita.runtime.item;

/**
 * What a write changes in the sizes of its logical and physical partition.
 *
 * @param items -1, 0 or 1 for one mutation
 * @param bytes of documents, negative when fewer
 */
public record SizeDelta(long items, long bytes) {}
