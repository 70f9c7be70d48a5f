package dev.partita.http.protocol;

import dev.partita.runtime.api.ReadConsistency;
import dev.partita.runtime.api.ReadConsistency.Level;
import dev.partita.runtime.model.SessionToken;
import org.jspecify.annotations.Nullable;

/** How fresh a request wants its read, against what the account allows. */
public final class ConsistencyHeaders {
  private ConsistencyHeaders() {}

  /**
   * The consistency of a read.
   *
   * @param account the account's level; a request may only weaken it
   * @throws Refusal 400 for an unknown or stronger level, or a bad session token
   */
  public static ReadConsistency read(RequestHeaders headers, Level account) {
    Level level = level(headers, account);
    @Nullable
    SessionToken token = level == Level.SESSION && headers.sessionToken != null
        ? sessionToken(headers.sessionToken)
        : null;
    return new ReadConsistency(level, token);
  }

  /** Checks the level of a request that reads nothing; the SDKs send it on writes and metadata too. */
  public static Level level(RequestHeaders headers, Level account) {
    if (headers.readConsistencyStrategy != null) {
      return strategy(headers.readConsistencyStrategy, account);
    }
    if (headers.consistencyLevel == null) {
      return account;
    }
    Level level = parse(headers.consistencyLevel);
    if (level.compareTo(account) < 0) {
      throw Refusal.bad(
          "The consistency level " + headers.consistencyLevel + " is stronger than the account's ("
              + name(account) + "); a request may only ask for a weaker one.");
    }
    return level;
  }

  private static Level strategy(String strategy, Level account) {
    return switch (strategy) {
      case "Eventual" -> Level.EVENTUAL;
      case "Session" -> Level.SESSION;
      case "LatestCommitted" -> Level.BOUNDED_STALENESS; // what a read quorum has committed
      case "GlobalStrong" -> {
        if (account != Level.STRONG) {
          throw Refusal.bad("The strategy GlobalStrong needs an account at level Strong.");
        }
        yield Level.STRONG;
      }
      default -> throw Refusal.bad("'" + strategy + "' is no read consistency strategy.");
    };
  }

  public static Level parse(String text) {
    return switch (text) {
      case "Strong" -> Level.STRONG;
      case "BoundedStaleness" -> Level.BOUNDED_STALENESS;
      case "Session" -> Level.SESSION;
      case "ConsistentPrefix" -> Level.CONSISTENT_PREFIX;
      case "Eventual" -> Level.EVENTUAL;
      default ->
        throw Refusal.bad(
            "'" + text + "' is no consistency level; there are Strong, BoundedStaleness, Session,"
                + " ConsistentPrefix and Eventual.");
    };
  }

  /** The level as the account document spells it. */
  public static String name(Level level) {
    return switch (level) {
      case STRONG -> "Strong";
      case BOUNDED_STALENESS -> "BoundedStaleness";
      case SESSION -> "Session";
      case CONSISTENT_PREFIX -> "ConsistentPrefix";
      case EVENTUAL -> "Eventual";
    };
  }

  private static SessionToken sessionToken(String text) {
    SessionToken.Parsed parsed = SessionToken.parse(text);
    if (parsed instanceof SessionToken.Parsed.Token token) {
      return token.token();
    }
    throw Refusal.bad(((SessionToken.Parsed.Malformed) parsed).reason());
  }
}
