package dev.partita.http.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.runtime.api.Throughput;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The throughput that a client asks for when it creates a database or container. */
public final class ThroughputHeaders {
  private static final int MANUAL_MIN = 400;
  private static final int MANUAL_STEP = 100;
  private static final int AUTOSCALE_MIN = 1_000;
  private static final int AUTOSCALE_STEP = 1_000;
  private static final int REQUEST_UNITS_MAX = 1_000_000;
  private static final int PHYSICAL_PARTITIONS_MAX = 1_000;

  private ThroughputHeaders() {}

  /**
   * Manual or autoscale throughput, if any.
   *
   * @throws Refusal 400 when a value is out of its range or both kinds are asked for
   */
  public static Optional<Throughput> throughput(RequestHeaders headers) {
    if (headers.offerThroughput != null && headers.autopilotSettings != null) {
      throw Refusal.bad("Ask either for manual throughput (" + HeaderNames.OFFER_THROUGHPUT
          + ") or for autoscale (" + HeaderNames.AUTOPILOT_SETTINGS + "), not both.");
    }
    if (headers.offerThroughput != null) {
      int units = number(HeaderNames.OFFER_THROUGHPUT, headers.offerThroughput);
      check("Manual throughput", units, MANUAL_MIN, MANUAL_STEP);
      return Optional.of(new Throughput(units, false));
    }
    if (headers.autopilotSettings != null) {
      int units = autoscaleMaximum(headers.autopilotSettings);
      check("The maximum of autoscale throughput", units, AUTOSCALE_MIN, AUTOSCALE_STEP);
      return Optional.of(new Throughput(units, true));
    }
    return Optional.empty();
  }

  /** The start count of physical partitions that a test asks for. */
  public static OptionalInt physicalPartitions(RequestHeaders headers) {
    if (headers.physicalPartitions == null) {
      return OptionalInt.empty();
    }
    int count = number(HeaderNames.PHYSICAL_PARTITIONS, headers.physicalPartitions);
    if (count < 1 || count > PHYSICAL_PARTITIONS_MAX) {
      throw Refusal.bad(HeaderNames.PHYSICAL_PARTITIONS + " is 1 to " + PHYSICAL_PARTITIONS_MAX
          + ", not " + count + ".");
    }
    return OptionalInt.of(count);
  }

  private static int autoscaleMaximum(String settings) {
    JsonNode node = Json.parse(settings, HeaderNames.AUTOPILOT_SETTINGS);
    JsonNode maximum = node.path("maxThroughput");
    if (!maximum.isIntegralNumber() || !maximum.canConvertToInt()) {
      throw Refusal.bad(
          HeaderNames.AUTOPILOT_SETTINGS + " is a JSON object such as {\"maxThroughput\":4000}.");
    }
    return maximum.intValue();
  }

  private static void check(String what, int units, int min, int step) {
    if (units < min || units > REQUEST_UNITS_MAX || units % step != 0) {
      throw Refusal.bad(what + " is " + min + " to " + REQUEST_UNITS_MAX + " RU/s in steps of "
          + step + ", not " + units + ".");
    }
  }

  /** A whole number of a header. */
  static int number(String header, @Nullable String value) {
    try {
      return Integer.parseInt(String.valueOf(value).strip());
    } catch (NumberFormatException notANumber) {
      throw Refusal.bad(header + " is a whole number, not '" + value + "'.");
    }
  }
}
