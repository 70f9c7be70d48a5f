package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The number of the last flush that someone was told of, in a file beside RocksDB's. RocksDB takes some damage
 * at the end of its manifest for a write cut short by a crash, and goes back to an earlier state in silence;
 * the mark shows it.
 */
final class DurableMark {
  static final String FILE = "DURABLE";

  private final Path file;
  private final Path next;

  DurableMark(Path directory) {
    this.file = directory.resolve(FILE);
    this.next = directory.resolve(FILE + ".next");
  }

  boolean exists() {
    return Files.exists(file);
  }

  /**
   * The number written last, or an older one after a crash; 0 if there is none.
   *
   * @return empty if the file is damaged
   */
  Optional<Long> read() throws IOException {
    if (!exists()) {
      return Optional.of(0L);
    }
    String[] words = Files.readString(file, StandardCharsets.ISO_8859_1).split(" ", -1);
    if (words.length != 2) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(words[0]);
      return line(number).equals(words[0] + " " + words[1])
          ? Optional.of(number)
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Writes the number. The folder is not synced: after a crash the older number is as true. */
  void write(long number) throws IOException {
    try (FileChannel channel = FileChannel.open(
        next,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(line(number).getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String line(long number) {
    var crc = new CRC32C();
    crc.update(Long.toString(number).getBytes(StandardCharsets.ISO_8859_1));
    return "%d %08x%n".formatted(number, crc.getValue());
  }
}
