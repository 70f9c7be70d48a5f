package dev.partita.http.cli.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines as bytes, from plain or gzip data: the content decides, not the name. A line longer than
 * {@link #LINE_BYTES_MAX} is read to its end but not kept.
 */
final class LineReader implements Closeable {
  /** Twice what an item may have. */
  static final int LINE_BYTES_MAX = 4 << 20;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /**
   * A line without its end.
   *
   * @param number from 1
   * @param bytes null if the line is too long
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Line(long number, byte @Nullable [] bytes) {}

  private final Counted source;
  private final InputStream in;
  private long number;

  private LineReader(Counted source, InputStream in) {
    this.source = source;
    this.in = in;
  }

  static LineReader open(InputStream data) throws IOException {
    var source = new Counted(data);
    var buffered = new BufferedInputStream(source, BUFFER_BYTES);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1F && buffered.read() == 0x8B;
    buffered.reset();
    var text = gzip
        ? new BufferedInputStream(new GZIPInputStream(buffered, BUFFER_BYTES), BUFFER_BYTES)
        : buffered;
    skipByteOrderMark(text);
    return new LineReader(source, text);
  }

  private static void skipByteOrderMark(BufferedInputStream text) throws IOException {
    text.mark(BYTE_ORDER_MARK.length);
    for (byte expected : BYTE_ORDER_MARK) {
      if ((byte) text.read() != expected) {
        text.reset();
        return;
      }
    }
  }

  /** The next line, or null at the end. */
  @Nullable
  Line next() throws IOException {
    int b = in.read();
    if (b < 0) {
      return null;
    }
    number++;
    var line = new ByteArrayOutputStream(256);
    boolean tooLong = false;
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (line.size() < LINE_BYTES_MAX) {
        line.write(b);
      } else {
        tooLong = true;
      }
    }
    return new Line(number, tooLong ? null : line.toByteArray());
  }

  /** How many bytes of the source, compressed or not, have been read. Any thread may ask. */
  long bytesRead() {
    return source.count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static final class Counted extends FilterInputStream {
    private volatile long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      counted(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int n = super.read(buffer, offset, length);
      counted(Math.max(n, 0));
      return n;
    }

    private void counted(int n) {
      long next = count + n; // one thread reads
      count = next;
    }
  }
}
