package dev.partita.runtime.model;

import java.util.Comparator;

/**
 * Names one request in all its attempts, so that it takes effect once (replication.md section 8).
 *
 * @param client who numbers its requests: a gateway, new at each start
 * @param sequence 0 or more, never used twice by the client
 */
public record RequestId(Uid client, long sequence) implements Comparable<RequestId> {
  private static final Comparator<RequestId> ORDER =
      Comparator.comparing(RequestId::client).thenComparingLong(RequestId::sequence);

  public RequestId {
    if (sequence < 0) {
      throw new IllegalArgumentException("a request's sequence is 0 or more, not " + sequence);
    }
  }

  @Override
  public int compareTo(RequestId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return client.toString().substring(0, 8) + "-" + sequence;
  }
}
