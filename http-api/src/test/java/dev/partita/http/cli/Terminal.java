package dev.partita.http.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs a command line and keeps what it says. */
public final class Terminal {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** The exit code. */
  public int run(String... arguments) {
    return PartitaCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
