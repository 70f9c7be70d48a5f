package dev.partita.http.cli.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * One row of the report.
 *
 * @param cpuMicros CPU of the server per operation, in microseconds; NaN when it could not be read
 */
record PhaseResult(String name, LoadGenerator.Measured measured, double cpuMicros) {
  static final String HEAD = String.format(
      Locale.ROOT,
      "%-22s %10s %12s %9s %9s %9s %9s",
      "phase",
      "op/s",
      "CPU us/op",
      "p50 ms",
      "p99 ms",
      "p99.9 ms",
      "max ms");

  String row() {
    return String.format(
        Locale.ROOT,
        "%-22s %,10.0f %12.1f %9.2f %9.2f %9.2f %9.2f%s",
        name,
        measured.perSecond(),
        cpuMicros,
        millis(50),
        millis(99),
        millis(99.9),
        measured.latency().getMaxValue() / 1e3,
        measured.others().isEmpty() ? "" : "  other statuses: " + measured.others());
  }

  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("phase", name);
    json.put("operations", measured.operations());
    json.put("seconds", measured.window().toNanos() / 1e9);
    json.put("perSecond", measured.perSecond());
    json.put("serverCpuMicrosPerOperation", cpuMicros);
    var latency = json.putObject("latencyMillis");
    for (double percentile : new double[] {50, 90, 99, 99.9, 99.99}) {
      latency.put(
          "p"
              + (percentile == Math.rint(percentile)
                  ? String.valueOf((int) percentile)
                  : String.valueOf(percentile)),
          millis(percentile));
    }
    latency.put("max", measured.latency().getMaxValue() / 1e3);
    var others = json.putObject("otherStatuses");
    measured.others().forEach((status, count) -> others.put(String.valueOf(status), count));
    return json;
  }

  private double millis(double percentile) {
    return measured.latency().getValueAtPercentile(percentile) / 1e3;
  }
}
