package dev.partita.persistence.engine;

/** What a scan is for, which decides how it treats disk and cache. */
public enum ScanKind {
  /** A few entries that may be read again soon: no read-ahead, blocks stay in the cache. */
  PAGE,
  /** Many entries read once, such as a copy of a range: 2 MB of read-ahead, past the cache. */
  SWEEP
}
