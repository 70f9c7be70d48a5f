package dev.partita.http.cli.load;

import java.time.Duration;
import java.util.Locale;

/** One line that says how a load gets on. */
final class ProgressLine {
  private static final int BAR = 24;

  private ProgressLine() {}

  /**
   * The line.
   *
   * @param bytesDone bytes of the source read so far
   * @param bytesAll size of the source, or 0 when it is not known
   * @param elapsed time since this run began
   */
  static String of(long bytesDone, long bytesAll, Loader.Counts counts, Duration elapsed) {
    double seconds = Math.max(elapsed.toMillis(), 1) / 1_000.0;
    var out = new StringBuilder();
    if (bytesAll > 0) {
      double share = Math.min(1, bytesDone / (double) bytesAll);
      int full = (int) (share * BAR);
      out.append(String.format(
          Locale.ROOT,
          "%3d%% [%s%s]  ",
          (int) (share * 100),
          "=".repeat(full),
          " ".repeat(BAR - full)));
    }
    out.append(String.format(
        Locale.ROOT, "%,d items  %,.0f/s", counts.loaded(), counts.loaded() / seconds));
    if (bytesAll > 0 && bytesDone > 0) {
      long left = Math.round(seconds * Math.max(0, bytesAll - bytesDone) / bytesDone);
      out.append(String.format(Locale.ROOT, "  %d:%02d left", left / 60, left % 60));
    }
    if (counts.rejected() > 0) {
      out.append(String.format(Locale.ROOT, "  %,d rejected", counts.rejected()));
    }
    return out.toString();
  }

  static String summary(Loader.Counts counts, Duration elapsed) {
    double seconds = Math.max(elapsed.toMillis(), 1) / 1_000.0;
    return String.format(
        Locale.ROOT,
        "loaded %,d items (%,d new, %,d replaced) in %.1f s, %,.0f items/s; %,d lines rejected",
        counts.loaded(),
        counts.created(),
        counts.replaced(),
        seconds,
        counts.loaded() / seconds,
        counts.rejected());
  }
}
