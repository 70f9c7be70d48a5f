package dev.partita.persistence.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot in one file, format version 1, big endian. A file is whole or does not exist: it is
 * written under another name, synced, renamed, and its directory synced.
 *
 * <pre>
 * magic 8 | version 4 | CRC32C of what follows 4 | sequence number 8 | timestamp 8
 * | persistence id | snapshot | has metadata 1 | [metadata]
 * </pre>
 *
 * A string or byte run is its length (4 bytes) and its bytes; a value is its serializer's id (4
 * bytes), its manifest, and its bytes.
 */
record SnapshotFile(
    String persistenceId,
    long sequenceNr,
    long timestamp,
    Value snapshot,
    @Nullable Value metadata) {
  static final int VERSION = 1;

  private static final long MAGIC = 0x50415254_534e4150L; // "PARTSNAP"
  private static final int CRC_AT = 12;
  private static final int HEADER_BYTES = 16;
  private static final int FIXED_BYTES = HEADER_BYTES + 2 * Long.BYTES + Integer.BYTES + 1;

  /** A serialised value, and what is needed to read it; nobody compares two of them. */
  @SuppressWarnings("ArrayRecordComponent")
  record Value(int serializerId, String manifest, byte[] bytes) {

    private int encodedBytes() {
      return 3 * Integer.BYTES + manifest.getBytes(UTF_8).length + bytes.length;
    }
  }

  /** A file that is not what was once written, or that a newer program wrote. */
  static final class Unreadable extends IOException {
    Unreadable(Path file, String what) {
      super("snapshot %s: %s".formatted(file, what));
    }
  }

  void write(Path file, Path temporary) throws IOException {
    var buffer = encode();
    try (var channel = FileChannel.open(
        temporary,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE)) {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static SnapshotFile read(Path file) throws IOException {
    var buffer = ByteBuffer.wrap(Files.readAllBytes(file));
    if (buffer.capacity() < HEADER_BYTES || buffer.getLong() != MAGIC) {
      throw new Unreadable(file, "not a snapshot");
    }
    int version = buffer.getInt();
    if (version > VERSION) {
      throw new Unreadable(
          file, "format %d, this program reads up to %d".formatted(version, VERSION));
    }
    if (buffer.getInt() != crc(buffer)) {
      throw new Unreadable(file, "damaged, the checksum does not match");
    }
    long sequenceNr = buffer.getLong();
    long timestamp = buffer.getLong();
    var persistenceId = new String(readBytes(buffer), UTF_8);
    var snapshot = readValue(buffer);
    var metadata = buffer.get() == 0 ? null : readValue(buffer);
    return new SnapshotFile(persistenceId, sequenceNr, timestamp, snapshot, metadata);
  }

  private ByteBuffer encode() {
    byte[] id = persistenceId.getBytes(UTF_8);
    int bytes = Math.addExact(FIXED_BYTES + id.length, snapshot.encodedBytes());
    if (metadata != null) {
      bytes = Math.addExact(bytes, metadata.encodedBytes());
    }
    var buffer = ByteBuffer.allocate(bytes);
    buffer.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(sequenceNr).putLong(timestamp);
    put(buffer, id);
    put(buffer, snapshot);
    buffer.put((byte) (metadata == null ? 0 : 1));
    if (metadata != null) {
      put(buffer, metadata);
    }
    return buffer.putInt(CRC_AT, crc(buffer)).flip();
  }

  private static void put(ByteBuffer buffer, Value value) {
    buffer.putInt(value.serializerId);
    put(buffer, value.manifest.getBytes(UTF_8));
    put(buffer, value.bytes);
  }

  private static void put(ByteBuffer buffer, byte[] bytes) {
    buffer.putInt(bytes.length).put(bytes);
  }

  private static Value readValue(ByteBuffer buffer) {
    return new Value(buffer.getInt(), new String(readBytes(buffer), UTF_8), readBytes(buffer));
  }

  private static byte[] readBytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.getInt()];
    buffer.get(bytes);
    return bytes;
  }

  private static int crc(ByteBuffer buffer) {
    var crc = new CRC32C();
    crc.update(buffer.slice(HEADER_BYTES, buffer.capacity() - HEADER_BYTES));
    return (int) crc.getValue();
  }
}
