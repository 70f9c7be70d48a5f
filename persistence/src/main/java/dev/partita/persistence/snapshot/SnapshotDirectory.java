package dev.partita.persistence.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Snapshot files by persistence id: a folder per id, named by the hash of the id since an id may have
 * any characters and any length, and in it a file per snapshot, whose name carries sequence number
 * and timestamp. A name is only a hint where to look: what is inside the file counts.
 */
final class SnapshotDirectory {
  private static final String SUFFIX = ".snapshot";
  private static final String TEMPORARY_SUFFIX = ".writing";

  private final Path root;
  private final AtomicLong temporaries = new AtomicLong();

  /** What the name of a file says. */
  record Entry(Path file, long sequenceNr, long timestamp) {}

  SnapshotDirectory(Path root) throws IOException {
    this.root = root;
    Files.createDirectories(root);
  }

  /** The snapshots of a persistence id, newest first. */
  List<Entry> list(String persistenceId) throws IOException {
    var folder = folder(persistenceId);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .flatMap(file -> entry(file).stream())
          .sorted(Comparator.comparingLong(Entry::sequenceNr)
              .thenComparingLong(Entry::timestamp)
              .reversed())
          .toList();
    }
  }

  /** Saves durably, in the place of all other snapshots with the same sequence number. */
  void save(SnapshotFile snapshot) throws IOException {
    var folder = folder(snapshot.persistenceId());
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      sync(root);
    }
    var file = folder.resolve(name(snapshot.sequenceNr(), snapshot.timestamp()));
    var temporary = folder.resolve(temporaries.incrementAndGet() + TEMPORARY_SUFFIX);
    snapshot.write(file, temporary);
    sync(folder);
    for (Entry entry : list(snapshot.persistenceId())) {
      if (entry.sequenceNr == snapshot.sequenceNr() && !entry.file.equals(file)) {
        Files.deleteIfExists(entry.file);
      }
    }
  }

  void delete(String persistenceId, List<Entry> entries) throws IOException {
    for (Entry entry : entries) {
      Files.deleteIfExists(entry.file);
    }
    if (!entries.isEmpty()) {
      sync(folder(persistenceId));
    }
  }

  private Path folder(String persistenceId) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(persistenceId.getBytes(UTF_8));
      return root.resolve(HexFormat.of().formatHex(hash, 0, 16));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String name(long sequenceNr, long timestamp) {
    return "%d-%d%s".formatted(sequenceNr, timestamp, SUFFIX);
  }

  private static Optional<Entry> entry(Path file) {
    var name = file.getFileName().toString();
    int dash = name.indexOf('-');
    try {
      return Optional.of(new Entry(
          file,
          Long.parseLong(name.substring(0, dash)),
          Long.parseLong(name.substring(dash + 1, name.length() - SUFFIX.length()))));
    } catch (NumberFormatException | IndexOutOfBoundsException notOurs) {
      return Optional.empty();
    }
  }

  private static void sync(Path directory) throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
