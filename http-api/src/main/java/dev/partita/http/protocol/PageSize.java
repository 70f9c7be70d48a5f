package dev.partita.http.protocol;

/** The page size that a client asks for. */
public final class PageSize {
  /** What a client gets that asks for nothing. */
  private static final int ABSENT = 100;

  private PageSize() {}

  /**
   * How many resources the page may hold.
   *
   * @param choice the server's own, for a client that sends -1
   * @param max a larger wish is cut to this
   * @throws Refusal 400 for zero, other negative numbers, and what is no number
   */
  public static int of(RequestHeaders headers, int choice, int max) {
    if (headers.maxItemCount == null) {
      return Math.min(ABSENT, max);
    }
    int asked = ThroughputHeaders.number(HeaderNames.MAX_ITEM_COUNT, headers.maxItemCount);
    if (asked < -1 || asked == 0) {
      throw Refusal.bad(HeaderNames.MAX_ITEM_COUNT + " is -1 or 1 and more, not " + asked + ".");
    }
    return asked == -1 ? choice : Math.min(asked, max);
  }
}
