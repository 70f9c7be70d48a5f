package dev.partita.http.cli.bench;

import dev.partita.http.cli.client.Endpoint;
import dev.partita.http.cli.client.RequestSigner;
import dev.partita.http.cli.client.ResourceName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Signed item requests: creates of items never seen before, and point reads of items that were acknowledged. All items
 * have the same size; their partition keys spread over {@link #KEYS} values.
 */
final class ItemRequests {
  static final int KEYS = 10_000;

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final int POOL = 1 << 16;

  private final String host;
  private final ResourceName container;
  private final RequestSigner signer;
  private final SplittableRandom random;
  private final byte[] pool;
  private final int itemBytes;
  private final long[] creating; // by connection: the item under way, or -1
  private String date = "";
  private long dateSecond;
  private String createAuthorization = "";
  private long created; // item numbers handed out
  private long[] written = new long[1 << 16]; // numbers of acknowledged items
  private int writtenCount;

  ItemRequests(
      Endpoint endpoint,
      String key,
      ResourceName container,
      int itemBytes,
      int connections,
      long seed) {
    this.host = endpoint.authority();
    this.container = container;
    this.signer = RequestSigner.of(key);
    this.itemBytes = itemBytes;
    this.random = new SplittableRandom(seed);
    this.creating = new long[connections];
    this.pool = new byte[POOL + itemBytes];
    for (int i = 0; i < pool.length; i++) {
      pool[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
    }
  }

  /** Creates only. */
  LoadGenerator.Requests writes() {
    return phase(0);
  }

  /** Point reads only; something must have been written. */
  LoadGenerator.Requests reads() {
    return phase(1);
  }

  /** Half creates, half point reads. */
  LoadGenerator.Requests mix() {
    return phase(0.5);
  }

  /** Lets reads ask for the first {@code count} items although no server has acknowledged them. */
  void assumeWritten(int count) {
    for (long item = 0; item < count; item++) {
      acknowledged(item);
    }
  }

  private LoadGenerator.Requests phase(double shareOfReads) {
    return new LoadGenerator.Requests() {
      @Override
      public ByteBuffer next(int connection) {
        boolean read = writtenCount > 0 && random.nextDouble() < shareOfReads;
        creating[connection] = read ? -1 : created++;
        return read ? read(written[random.nextInt(writtenCount)]) : create(creating[connection]);
      }

      @Override
      public void answered(int connection, int status) {
        if (creating[connection] >= 0 && status == 201) {
          acknowledged(creating[connection]);
        }
      }
    };
  }

  private void acknowledged(long item) {
    if (writtenCount == written.length) {
      written = Arrays.copyOf(written, writtenCount * 2);
    }
    written[writtenCount++] = item;
  }

  private ByteBuffer create(long item) {
    refreshDate();
    var prefix = "{\"id\":\"" + id(item) + "\",\"pk\":\"" + key(item) + "\",\"payload\":\"";
    int filler = Math.max(0, itemBytes - prefix.length() - 2);
    var head = head("POST", container.path() + "/docs", createAuthorization, key(item))
        .append("Content-Type: application/json\r\nPrefer: return=minimal\r\nContent-Length: ")
        .append(prefix.length() + filler + 2)
        .append("\r\n\r\n")
        .append(prefix)
        .toString()
        .getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocate(head.length + filler + 2)
        .put(head)
        .put(pool, random.nextInt(POOL), filler)
        .put((byte) '"')
        .put((byte) '}')
        .flip();
  }

  private ByteBuffer read(long item) {
    refreshDate();
    var link = container.link() + "/docs/" + id(item);
    var authorization = signer.authorization("GET", "docs", link, date);
    var head = head("GET", container.path() + "/docs/" + id(item), authorization, key(item))
        .append("\r\n");
    return ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private StringBuilder head(String verb, String path, String authorization, String key) {
    return new StringBuilder(768)
        .append(verb)
        .append(' ')
        .append(path)
        .append(" HTTP/1.1\r\nHost: ")
        .append(host)
        .append("\r\nauthorization: ")
        .append(authorization)
        .append("\r\nx-ms-date: ")
        .append(date)
        .append(
            "\r\nx-ms-version: 2020-07-15\r\nAccept: application/json\r\nx-ms-documentdb-partitionkey: [\"")
        .append(key)
        .append("\"]\r\n");
  }

  private void refreshDate() {
    var now = Instant.now();
    if (now.getEpochSecond() != dateSecond) {
      dateSecond = now.getEpochSecond();
      date = RequestSigner.date(now);
      createAuthorization = signer.authorization("POST", "docs", container.link(), date);
    }
  }

  private static String id(long item) {
    return "item-" + item;
  }

  private static String key(long item) {
    return "key-" + item % KEYS;
  }
}
