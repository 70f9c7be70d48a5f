package dev.partita.multijvm.workload;

import dev.partita.http.cli.client.Reply;

/** What a session token says: a range and an LSN in it. */
public record SessionToken(String range, long lsn) {
  /** The token of an answer, {@code range:version#lsn}. */
  public static SessionToken of(Reply reply) {
    var text = reply
        .header("x-ms-session-token")
        .orElseThrow(() -> new AssertionError("an answer without session token"));
    int colon = text.indexOf(':');
    var parts = text.substring(colon + 1).split("#", -1);
    return new SessionToken(text.substring(0, colon), Long.parseLong(parts[1]));
  }
}
