package dev.partita.runtime.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a session has seen: per partition key range the highest LSN. The text of one range is {@code
 * range:version#lsn}, perhaps with {@code #region=lsn} for each of several regions, and a token is a list of
 * such pairs with commas (protocol section 18). We write version -1 and no regions.
 *
 * @param seen range id to LSN
 */
public record SessionToken(SortedMap<Integer, Lsn> seen) {
  private static final String VERSION = "-1";

  public SessionToken {
    seen = Collections.unmodifiableSortedMap(new TreeMap<>(seen));
  }

  /** What the text of a session token turned out to be. */
  public sealed interface Parsed {
    /** A token, perhaps of ranges that are not ours. */
    record Token(SessionToken token) implements Parsed {}

    /** No token; {@code reason} is a sentence for the caller. */
    record Malformed(String reason) implements Parsed {}
  }

  /** The text of one range's pair: the only form that the Java client takes in an answer. */
  public static String format(int range, Lsn lsn) {
    return range + ":" + VERSION + "#" + lsn;
  }

  /** Reads a list of pairs. If a range occurs more than once, its highest LSN counts. */
  public static Parsed parse(String text) {
    SortedMap<Integer, Lsn> seen = new TreeMap<>();
    int from = 0;
    while (from <= text.length()) {
      int comma = text.indexOf(',', from);
      String pair = text.substring(from, comma < 0 ? text.length() : comma).strip();
      try {
        if (!pair.isEmpty()) {
          addPair(pair, seen);
        }
      } catch (NumberFormatException notDecimal) {
        return new Parsed.Malformed(
            "A session token has the form range:version#lsn, such as 0:-1#12, in decimal numbers.");
      }
      from = comma < 0 ? text.length() + 1 : comma + 1;
    }
    return new Parsed.Token(new SessionToken(seen));
  }

  private static void addPair(String pair, SortedMap<Integer, Lsn> seen) {
    int colon = pair.indexOf(':');
    int hash = pair.indexOf('#', colon + 1);
    if (colon < 0 || hash < 0) {
      throw new NumberFormatException();
    }
    long range = number(pair, 0, colon);
    boolean negative = pair.charAt(colon + 1) == '-';
    number(pair, negative ? colon + 2 : colon + 1, hash);
    int regions = pair.indexOf('#', hash + 1);
    long lsn = number(pair, hash + 1, regions < 0 ? pair.length() : regions);
    for (int at = regions; at >= 0; ) {
      int next = pair.indexOf('#', at + 1);
      int equals = pair.indexOf('=', at + 1);
      number(pair, at + 1, equals);
      number(pair, equals + 1, next < 0 ? pair.length() : next);
      at = next;
    }
    if (range <= Integer.MAX_VALUE) { // we never name a higher one, so it is another server's
      seen.merge((int) range, new Lsn(lsn), Lsn::max);
    }
  }

  /** Decimal digits and nothing else, below 2^63. */
  private static long number(String text, int from, int to) {
    if (from >= to) {
      throw new NumberFormatException();
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
        throw new NumberFormatException();
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /**
   * What a read of a range must have reached: the highest LSN seen of it or of a range that it came from,
   * since children go on counting where their parent stopped. Zero when the token names none of them.
   */
  public Lsn seenOf(int range, List<Integer> ancestors) {
    Lsn highest = seen.getOrDefault(range, Lsn.ZERO);
    for (Integer ancestor : ancestors) {
      highest = Lsn.max(highest, seen.getOrDefault(ancestor, Lsn.ZERO));
    }
    return highest;
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    seen.forEach((range, lsn) -> text.append(text.isEmpty() ? "" : ",").append(format(range, lsn)));
    return text.toString();
  }
}
