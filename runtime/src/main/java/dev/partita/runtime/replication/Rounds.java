package dev.partita.runtime.replication;

/**
 * Confirm rounds (S-L, L10): one under way at a time, and one that whoever arrives meanwhile waits for. A
 * round answers for arrivals before it was sent; so does an own entry that was appended after them, once it
 * is committed.
 */
final class Rounds {
  private long begun;
  private long confirmed;
  /** The end of the log when the round under way was joined last. */
  private long begunAt;

  private boolean wanted;
  private long wantedAt;

  /** Joins the round that has not been sent. */
  long join(long lastLsn) {
    wanted = true;
    wantedAt = lastLsn;
    return begun + 1;
  }

  boolean isUnderWay() {
    return begun > confirmed;
  }

  /** The newest round that was sent. */
  long begun() {
    return begun;
  }

  /** Begins the next round if somebody waits for it and none is under way. */
  boolean begin() {
    if (!wanted || isUnderWay()) {
      return false;
    }
    wanted = false;
    begun++;
    begunAt = wantedAt;
    return true;
  }

  /** The round under way has its read quorum. */
  void confirm() {
    confirmed = begun;
  }

  /** Answers whether this commit of an own entry confirms a round that was not confirmed before. */
  boolean committed(long commit) {
    long before = confirmed;
    if (isUnderWay() && commit > begunAt) {
      confirmed = begun;
    }
    if (wanted && !isUnderWay() && commit > wantedAt) {
      wanted = false;
      begun++;
      confirmed = begun;
    }
    return confirmed > before;
  }

  long confirmed() {
    return confirmed;
  }
}
