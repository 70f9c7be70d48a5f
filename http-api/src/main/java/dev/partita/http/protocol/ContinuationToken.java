package dev.partita.http.protocol;

import dev.partita.runtime.api.PageRead.Position;
import dev.partita.runtime.model.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * Where the next page goes on: the text of {@code x-ms-continuation}. It names a place in the keyspace, so it needs
 * no memory on the server and holds across restarts and splits; a child range takes its parent's.
 *
 * <p>Text: base64url of a version byte, a kind byte, a CRC-32 of the owner's RID, the kind's fields, and a CRC-32 of
 * all that. Length: 4/3 of key and id and at most 50 bytes more, which is under 1 KiB while partition key and id of
 * the last item have 700 bytes together, and at most 4.3 KiB. A longer item is not worth a place that repeats or
 * loses items, and every client takes headers of that size.
 */
public sealed interface ContinuationToken {
  /** After an item. */
  record After(Position position) implements ContinuationToken {}

  /** At the beginning of a range, the ones before having been read. */
  record From(String effectivePartitionKey) implements ContinuationToken {}

  /** After a database or container, in the order of names. */
  record AfterName(String id) implements ContinuationToken {}

  /**
   * The text of the token.
   *
   * @param ownerRid of the container or database whose feed it is; empty for the account
   */
  default String encode(String ownerRid) {
    ByteBuffer fields = Codec.fields(this);
    ByteBuffer all = ByteBuffer.allocate(2 + 4 + fields.remaining() + 4);
    all.put(Codec.VERSION)
        .put(Codec.kind(this))
        .putInt(Codec.crc(Codec.utf8(ownerRid), -1))
        .put(fields);
    all.putInt(Codec.crc(all.array(), all.position()));
    return Codec.text64(all.array());
  }

  /**
   * Reads what {@link #encode} wrote for the same owner.
   *
   * @throws Refusal 400 for anything else
   */
  static ContinuationToken decode(String text, String ownerRid) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      ByteBuffer in = ByteBuffer.wrap(bytes);
      if (bytes.length >= 10
          && Codec.text64(bytes).equals(text) // one text for each token
          && in.getInt(bytes.length - 4) == Codec.crc(bytes, bytes.length - 4)
          && in.get() == Codec.VERSION) {
        byte kind = in.get();
        if (in.getInt() != Codec.crc(Codec.utf8(ownerRid), -1)) {
          throw Refusal.bad("The continuation token belongs to another resource.");
        }
        return Codec.read(kind, in);
      }
    } catch (IllegalArgumentException | BufferUnderflowException notOurs) {
      // Falls through to the one message there is for a token that this server did not write.
    }
    throw Codec.unknown();
  }

  /** The position of a page of items, or the place where it begins. */
  static ContinuationToken decodeItems(String text, String ownerRid) {
    ContinuationToken token = decode(text, ownerRid);
    if (token instanceof AfterName) {
      throw Codec.unknown();
    }
    return token;
  }

  /** The name after which a feed of the catalog goes on. */
  static String decodeName(String text, String ownerRid) {
    if (decode(text, ownerRid) instanceof AfterName after) {
      return after.id();
    }
    throw Codec.unknown();
  }

  /** The bytes. */
  final class Codec {
    private static final byte VERSION = 1;

    private Codec() {}

    private static byte kind(ContinuationToken token) {
      return (byte) (token instanceof After ? 'a' : token instanceof From ? 'f' : 'n');
    }

    private static ByteBuffer fields(ContinuationToken token) {
      if (token instanceof After after) {
        byte[] epk = hex(after.position().effectivePartitionKey());
        byte[] key = after.position().partitionKey().toArray();
        byte[] id = utf8(after.position().id());
        return ByteBuffer.allocate(6 + epk.length + key.length + id.length)
            .putShort((short) epk.length)
            .put(epk)
            .putShort((short) key.length)
            .put(key)
            .putShort((short) id.length)
            .put(id)
            .flip();
      }
      return ByteBuffer.wrap(
          token instanceof From from
              ? hex(from.effectivePartitionKey())
              : utf8(((AfterName) token).id()));
    }

    private static ContinuationToken read(byte kind, ByteBuffer in) {
      in.limit(in.limit() - 4);
      return switch (kind) {
        case 'a' ->
          new After(new Position(
              text(take(in)), Bytes.wrap(take(in)), new String(take(in), StandardCharsets.UTF_8)));
        case 'f' -> new From(text(rest(in)));
        case 'n' -> new AfterName(new String(rest(in), StandardCharsets.UTF_8));
        default -> throw unknown();
      };
    }

    private static byte[] take(ByteBuffer in) {
      return take(in, Short.toUnsignedInt(in.getShort()));
    }

    private static byte[] rest(ByteBuffer in) {
      return take(in, in.remaining());
    }

    private static byte[] take(ByteBuffer in, int length) {
      if (length > in.remaining()) {
        throw new BufferUnderflowException();
      }
      var bytes = new byte[length];
      in.get(bytes);
      return bytes;
    }

    private static byte[] hex(String digits) {
      return HexFormat.of().parseHex(digits);
    }

    private static String text(byte[] bytes) {
      return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    private static String text64(byte[] bytes) {
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int crc(byte[] bytes, int length) {
      var crc = new CRC32();
      crc.update(bytes, 0, length < 0 ? bytes.length : length);
      return (int) crc.getValue();
    }

    private static Refusal unknown() {
      return Refusal.bad(
          "The continuation token in x-ms-continuation is not one of this server's.");
    }
  }
}
