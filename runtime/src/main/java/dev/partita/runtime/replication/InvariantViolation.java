package dev.partita.runtime.replication;

/**
 * What only a bug, or a disk that lies, can cause (replication.md section 15). Whoever meets one stops:
 * a replica keeps its files and is quarantined, a primary steps down.
 */
public final class InvariantViolation extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public InvariantViolation(String rule, String what) {
    super(rule + " violated: " + what);
  }
}
