package dev.partita.persistence.journal;

import akka.actor.ActorRef;
import akka.persistence.PersistentRepr;
import akka.serialization.Serialization;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The body of an event in the log, version 1; persistence id and sequence number are the log's.
 *
 * <pre>
 * flags 1 | timestamp 8 | serializer id 4 | serializer manifest
 * | writer (a UUID 16, or a string) | [event manifest] | [metadata: id 4, manifest, length 4, bytes]
 * | [tags: count 2, strings] | payload
 * </pre>
 *
 * A string is its length in UTF-8 (2 bytes) and its bytes. The sender is not kept: Akka removes it
 * before a journal sees the event. Tags are kept for a later index; a replay does not show them.
 */
final class EventCodec {
  private static final int WRITER_IS_UUID = 1;
  private static final int HAS_MANIFEST = 1 << 1;
  private static final int HAS_METADATA = 1 << 2;
  private static final int HAS_TAGS = 1 << 3;
  private static final int UUID_CHARS = 36;
  private static final int STRING_BYTES_MAX = 0xFFFF;

  private final Serialization serialization;
  private final Clock clock;

  /**
   * Serialises by the rules of an actor system.
   *
   * @param clock gives an event its timestamp unless it has one
   */
  EventCodec(Serialization serialization, Clock clock) {
    this.serialization = serialization;
    this.clock = clock;
  }

  /**
   * The pieces of an event's body.
   *
   * @param payload the event itself, without the wrapper that carries its tags
   * @throws Exception whatever the serializer says
   */
  byte[][] encode(PersistentRepr event, Object payload, Collection<String> tags) throws Exception {
    byte[] payloadBytes = serialization.serialize(payload).get();
    var head = new ByteArrayOutputStream(96);
    var out = new DataOutputStream(head);
    var writer = uuid(event.writerUuid());
    boolean hasManifest = !event.manifest().isEmpty();
    boolean hasMetadata = event.metadata().isDefined();
    out.writeByte(flag(writer != null, WRITER_IS_UUID)
        | flag(hasManifest, HAS_MANIFEST)
        | flag(hasMetadata, HAS_METADATA)
        | flag(!tags.isEmpty(), HAS_TAGS));
    out.writeLong(event.timestamp() == 0 ? clock.millis() : event.timestamp());
    writeSerializer(out, payload);
    if (writer != null) {
      out.writeLong(writer.getMostSignificantBits());
      out.writeLong(writer.getLeastSignificantBits());
    } else {
      writeString(out, event.writerUuid());
    }
    if (hasManifest) {
      writeString(out, event.manifest());
    }
    if (hasMetadata) {
      writeMetadata(out, event.metadata().get());
    }
    if (!tags.isEmpty()) {
      out.writeShort(tags.size());
      for (String tag : tags) {
        writeString(out, tag);
      }
    }
    return new byte[][] {head.toByteArray(), payloadBytes};
  }

  /** The event that was encoded, without its sender. */
  PersistentRepr decode(String persistenceId, long sequenceNr, ByteBuffer body) {
    int flags = body.get();
    long timestamp = body.getLong();
    int serializerId = body.getInt();
    var serializerManifest = readString(body);
    var writer = has(flags, WRITER_IS_UUID)
        ? new UUID(body.getLong(), body.getLong()).toString()
        : readString(body);
    var manifest = has(flags, HAS_MANIFEST) ? readString(body) : PersistentRepr.Undefined();
    var metadata = has(flags, HAS_METADATA) ? readMetadata(body) : null;
    if (has(flags, HAS_TAGS)) {
      for (int count = Short.toUnsignedInt(body.getShort()); count > 0; count--) {
        skipString(body);
      }
    }
    var payload = deserialize(body, body.remaining(), serializerId, serializerManifest);
    var event = PersistentRepr.apply(
            payload, sequenceNr, persistenceId, manifest, false, ActorRef.noSender(), writer)
        .withTimestamp(timestamp);
    return metadata == null ? event : event.withMetadata(metadata);
  }

  private void writeSerializer(DataOutputStream out, Object value) throws IOException {
    Serializer serializer = serialization.findSerializerFor(value);
    out.writeInt(serializer.identifier());
    writeString(out, Serializers.manifestFor(serializer, value));
  }

  private void writeMetadata(DataOutputStream out, Object metadata) throws IOException {
    byte[] bytes = serialization.serialize(metadata).get();
    writeSerializer(out, metadata);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private Object readMetadata(ByteBuffer body) {
    int serializerId = body.getInt();
    var manifest = readString(body);
    return deserialize(body, body.getInt(), serializerId, manifest);
  }

  private Object deserialize(
      ByteBuffer body, int length, int serializerId, String serializerManifest) {
    var bytes = new byte[length]; // written as an array: a buffer may be read in another byte order
    body.get(bytes);
    return serialization.deserialize(bytes, serializerId, serializerManifest).get();
  }

  private static @Nullable UUID uuid(String writer) {
    if (writer.length() != UUID_CHARS) {
      return null;
    }
    try {
      var uuid = UUID.fromString(writer);
      return uuid.toString().equals(writer) ? uuid : null;
    } catch (IllegalArgumentException notOne) {
      return null;
    }
  }

  private static void writeString(DataOutputStream out, String value) throws IOException {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > STRING_BYTES_MAX) {
      throw new NotSerializableException("a manifest, writer or tag of %d bytes: the limit is %d"
          .formatted(bytes.length, STRING_BYTES_MAX));
    }
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static String readString(ByteBuffer body) {
    var bytes = new byte[Short.toUnsignedInt(body.getShort())];
    body.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void skipString(ByteBuffer body) {
    int length = Short.toUnsignedInt(body.getShort());
    body.position(body.position() + length);
  }

  private static int flag(boolean set, int bit) {
    return set ? bit : 0;
  }

  private static boolean has(int flags, int bit) {
    return (flags & bit) != 0;
  }
}
