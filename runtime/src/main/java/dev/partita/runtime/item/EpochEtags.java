package dev.partita.runtime.item;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Etags as {@code "aaaarrrr-0000-0100-0000-cccccccccccc"}: 16 bits of the attempt, 16 bits of the range's
 * number, 48 bits of a counter.
 */
final class EpochEtags implements EtagSource {
  /** No log entry holds more mutations, so counters of an epoch stay below those of the next. */
  static final int MUTATIONS_PER_ENTRY_MAX = 128;

  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final String TEMPLATE = "\"00000000-0000-0100-0000-000000000000\"";
  private static final int PREFIX_END = 9;
  private static final int COUNTER_END = TEMPLATE.length() - 1;
  private static final int COUNTER_BITS = 48;

  private final byte[] template = TEMPLATE.getBytes(StandardCharsets.US_ASCII);
  private final AtomicLong counter;

  EpochEtags(int rangeId, Epoch epoch, Lsn last) {
    long attempt = epoch.attempt().low() & 0xffff;
    putHex(attempt << 16 | (rangeId & 0xffff), template, PREFIX_END, 8);
    counter = new AtomicLong(last.next().value() * MUTATIONS_PER_ENTRY_MAX);
  }

  @Override
  public String next() {
    long count = counter.getAndIncrement();
    if (count >>> COUNTER_BITS != 0) {
      throw new IllegalStateException("a range has given all its etags");
    }
    byte[] text = template.clone();
    putHex(count, text, COUNTER_END, COUNTER_BITS / 4);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static void putHex(long value, byte[] text, int end, int digits) {
    for (int i = 1; i <= digits; i++) {
      text[end - i] = DIGITS[(int) (value >>> (4 * (i - 1))) & 0xf];
    }
  }
}
