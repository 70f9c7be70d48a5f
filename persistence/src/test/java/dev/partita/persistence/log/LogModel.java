package dev.partita.persistence.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What a log must hold: per persistence id the live events and the highest sequence number. */
final class LogModel {
  private final Map<String, History> histories = new TreeMap<>();

  private record History(TreeMap<Long, String> events, long highest) {

    private History copy() {
      return new History(new TreeMap<>(events), highest);
    }
  }

  /** A random change, as a write for the log, and as the model that holds if it becomes durable. */
  record Step(Write write, LogModel after) {}

  LogModel copy() {
    var copy = new LogModel();
    histories.forEach((id, history) -> copy.histories.put(id, history.copy()));
    return copy;
  }

  Step randomStep(Random random, int ids, int eventBytesMax) {
    var after = copy();
    var write = new Write();
    for (int records = 1 + random.nextInt(3); records > 0; records--) {
      var id = "id-" + (int) (ids * Math.pow(random.nextDouble(), 3)); // some are idle for long
      var history = after.histories.computeIfAbsent(id, i -> new History(new TreeMap<>(), 0));
      long next = history.highest + 1 + (random.nextInt(10) == 0 ? random.nextInt(3) : 0);
      var text = id + ":" + next + ":" + "x".repeat(random.nextInt(eventBytesMax));
      switch (random.nextInt(8)) {
        case 0 -> {
          long to = random.nextInt(4) == 0 ? Long.MAX_VALUE : history.highest - random.nextInt(3);
          write.deleteTo(id, to);
          history.events.headMap(to, true).clear();
        }
        case 1, 2 -> {
          write.eventReplacingHistory(id, next, text.getBytes(UTF_8));
          history.events.clear();
          history.events.put(next, text);
          after.histories.put(id, new History(history.events, next));
        }
        default -> {
          write.event(id, next, text.getBytes(UTF_8));
          history.events.put(next, text);
          after.histories.put(id, new History(history.events, next));
        }
      }
    }
    return new Step(write, after);
  }

  boolean matches(TestLog log) {
    for (var entry : histories.entrySet()) {
      if (!log.replay(entry.getKey()).equals(List.copyOf(entry.getValue().events.values()))
          || log.highest(entry.getKey()) != entry.getValue().highest) {
        return false;
      }
    }
    return true;
  }

  void assertMatches(TestLog log) {
    histories.forEach((id, history) -> {
      assertThat(log.replay(id)).as(id).isEqualTo(new ArrayList<>(history.events.values()));
      assertThat(log.highest(id)).as("highest of " + id).isEqualTo(history.highest);
    });
  }
}
