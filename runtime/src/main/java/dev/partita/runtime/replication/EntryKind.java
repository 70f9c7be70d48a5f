package dev.partita.runtime.replication;

/** What an entry of the log is for (replication.md 4.1). The code is what journals and wires carry. */
public enum EntryKind {
  /** Changes nothing; the first entry of every primary, since only own entries commit (L5, L6). */
  NO_OP(0),
  /** Physical after-images of one write or one batch; the body is opaque here. */
  WRITE(1),
  /** Records the answer of a request whose condition failed, and changes nothing else (E7). */
  REFUSAL(2),
  /** A {@link Configuration}, in force from the moment it is in the log (C5). */
  CONFIG(3),
  /** Divides the range; refused until splits exist. */
  SPLIT(4);

  private static final EntryKind[] BY_CODE = values();

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  /** 0 to 4; never reused. */
  public int code() {
    return code;
  }

  /**
   * The kind with this code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static EntryKind of(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("no kind of entry has code " + code);
    }
    return BY_CODE[code];
  }
}
