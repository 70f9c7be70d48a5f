package dev.partita.http.cli.load;

import java.io.PrintWriter;

/**
 * Shows progress: one line drawn over and over on a terminal, now and then a plain line elsewhere. The launcher says
 * whether the standard error is a terminal, for Java cannot tell.
 */
final class ProgressDisplay {
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;

  ProgressDisplay(PrintWriter err) {
    this(err, Boolean.getBoolean("partita.terminal"));
  }

  ProgressDisplay(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  boolean isTerminal() {
    return terminal;
  }

  synchronized void progress(String line) {
    if (terminal) {
      err.print(CLEAR + line);
    } else {
      err.println(line);
    }
    err.flush();
  }

  /** A line that stays. */
  synchronized void note(String line) {
    err.println(terminal ? CLEAR + line : line);
    err.flush();
  }

  /** Takes the progress line away. */
  synchronized void done() {
    if (terminal) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
