package dev.partita.persistence.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A small file of {@code name=value} lines under a checksum, replaced as a whole: a crash leaves the old one or
 * the new one.
 *
 * <pre>
 * # Partita: do not edit
 * format=1
 * stores=...
 * crc32c=1a2b3c4d
 * </pre>
 *
 * <p>Every version of Partita keeps this form, so that an older one can read the format number of a newer one.
 */
final class RecordFile {
  static final String TEMPORARY_SUFFIX = ".new";
  private static final String HEAD = "# Partita: do not edit\n";
  private static final String CHECKSUM = "crc32c=";
  private static final int SIZE_MAX = 1 << 20;

  private final Path file;

  RecordFile(Path file) {
    this.file = file;
  }

  Path path() {
    return file;
  }

  boolean exists() {
    return Files.exists(file);
  }

  /** The lines; a wrong checksum is damage. */
  Map<String, String> read() throws IOException {
    String text = text();
    int end = text.lastIndexOf(CHECKSUM);
    if (end < 0 || !text.substring(end).equals(checksumLine(text.substring(0, end)))) {
      throw Failures.damaged(file, "wrong checksum");
    }
    return parse(text.substring(0, end));
  }

  /** Replaces the file; durable when this returns. */
  void write(Map<String, String> values) throws IOException {
    var text = new StringBuilder(HEAD);
    values.forEach(
        (name, value) -> text.append(name).append('=').append(escape(value)).append('\n'));
    text.append(checksumLine(text.toString()));
    Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
    try (FileChannel channel = FileChannel.open(
        temporary,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    syncName(file);
  }

  /** Makes the name of a file or folder durable. */
  static void syncName(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private String text() throws IOException {
    if (Files.size(file) > SIZE_MAX) {
      throw Failures.damaged(file, "more than " + SIZE_MAX + " bytes");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static Map<String, String> parse(String text) {
    var values = new LinkedHashMap<String, String>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        values.put(line.substring(0, equals), unescape(line.substring(equals + 1)));
      }
    }
    return values;
  }

  private static String checksumLine(String covered) {
    var crc = new CRC32C();
    crc.update(covered.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + "%08x\n".formatted(crc.getValue());
  }

  /** Keeps a value on its line. */
  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String line) {
    var value = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        char next = line.charAt(++i);
        value.append(next == 'n' ? '\n' : next == 'r' ? '\r' : next);
      } else {
        value.append(c);
      }
    }
    return value.toString();
  }
}
