package dev.partita.persistence.engine;

/** Receives the entries of a scan in key order. */
@FunctionalInterface
public interface ScanVisitor {
  /**
   * Takes one entry; both arrays are the visitor's own.
   *
   * @return whether the scan goes on
   */
  boolean visit(byte[] key, byte[] value);
}
