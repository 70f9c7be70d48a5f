package dev.partita.http.route;

import dev.partita.http.protocol.RequestHeaders;
import dev.partita.http.protocol.RequestPath;
import dev.partita.runtime.model.Bytes;

/**
 * One request on its way to an answer.
 *
 * @param method in upper case
 * @param body empty when there is none
 * @param endpoint scheme, host and port that the client used, with a final slash
 * @param activityId the client's own, or ours; goes into every answer and log line
 * @param startedNanos reading of the monotonic clock at its arrival
 */
record Exchange(
    String method,
    RequestPath path,
    RequestHeaders headers,
    Bytes body,
    String endpoint,
    String activityId,
    long startedNanos) {
  Exchange withPath(RequestPath found) {
    return new Exchange(method, found, headers, body, endpoint, activityId, startedNanos);
  }

  Exchange withBody(Bytes received) {
    return new Exchange(method, path, headers, received, endpoint, activityId, startedNanos);
  }

  /** The segment of the path, counted from zero. */
  String segment(int index) {
    return path.segment(index);
  }

  /** Whether a read-only key is not enough. */
  boolean writes() {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS" -> false;
      case "POST" -> !headers.query && !headers.queryPlan;
      default -> true;
    };
  }
}
