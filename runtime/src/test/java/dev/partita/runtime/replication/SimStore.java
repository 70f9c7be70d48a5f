package dev.partita.runtime.replication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The data of one replica: what was applied, and which of it a crash leaves (J6, J7). */
final class SimStore {
  private final TreeMap<Long, Base> marks = new TreeMap<>();
  private List<Entry> applied = new ArrayList<>();
  private final Map<Integer, Long> keys = new HashMap<>();
  private long synced;

  /** A copy for a snapshot, labelled with its mark. */
  record Copy(Base mark, List<Entry> applied) {}

  Optional<Base> mark() {
    return marks.isEmpty() ? Optional.empty() : Optional.of(marks.lastEntry().getValue());
  }

  long synced() {
    return synced;
  }

  List<Entry> applied() {
    return applied;
  }

  void write(List<Entry> entries, Base mark) {
    for (var entry : entries) {
      put(entry);
    }
    marks.put(mark.lsn().value(), mark);
  }

  private void put(Entry entry) {
    Observer.check(entry.lsn().value() == applied.size() + 1, "%s applied out of turn", entry);
    applied.add(entry);
    if (entry.kind() == EntryKind.WRITE) {
      keys.put(key(entry), entry.lsn().value());
    }
  }

  private static int key(Entry write) {
    var body = write.body().utf8();
    return Integer.parseInt(body.substring(0, body.indexOf('=')));
  }

  /** The LSN of the write that the key has its value from; zero if there is none. */
  long read(int key) {
    return keys.getOrDefault(key, 0L);
  }

  void sync() {
    synced = applied.size();
    marks.headMap(synced, false).clear();
  }

  Optional<Copy> copy() {
    return mark().map(mark -> new Copy(mark, List.copyOf(applied)));
  }

  void install(Copy copy) {
    marks.clear();
    keys.clear();
    applied = new ArrayList<>();
    write(copy.applied(), copy.mark());
    sync();
  }

  /** Falls back to the mark of some batch since the last sync. */
  void crash(Random random) {
    var left = new ArrayList<>(marks.tailMap(synced, true).values());
    if (synced == 0) {
      left.add(0, null);
    }
    @Nullable Base mark = left.get(random.nextInt(left.size()));
    long through = mark == null ? 0 : mark.lsn().value();
    marks.tailMap(through, mark == null).clear();
    if (mark != null) {
      marks.put(through, mark);
    }
    var kept = List.copyOf(applied.subList(0, (int) through));
    applied = new ArrayList<>();
    keys.clear();
    kept.forEach(this::put);
  }
}
