package dev.partita.persistence.engine;

import org.jspecify.annotations.Nullable;

/**
 * Reads of the item store. Checksums are verified; every method may throw a {@link StoreException}. Keys are
 * ordered as unsigned bytes. Safe for use by many threads; a call occupies its thread while it waits for the
 * disk.
 */
public interface ItemReader {
  /** The item stored under a key, or null. */
  byte @Nullable [] item(byte[] key);

  /** The record of a logical partition stored under a key, or null. */
  byte @Nullable [] logical(byte[] key);

  /** The record of a replica stored under a key, or null. */
  byte @Nullable [] replica(byte[] key);

  /** Visits the items in {@code [from, toExclusive)} as they were when the call began. */
  void scanItems(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor);

  /** Visits the logical partitions in {@code [from, toExclusive)} as they were when the call began. */
  void scanLogicals(byte[] from, byte[] toExclusive, ScanKind kind, ScanVisitor visitor);

  /** Visits all replicas of the node whose key starts with a prefix; an empty one visits them all. */
  void scanReplicas(byte[] prefix, ScanVisitor visitor);
}
