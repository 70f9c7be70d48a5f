package dev.partita.http.cli.bench;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the end of an HTTP/1.1 answer and its status, and looks at nothing else. Knows {@code Content-Length} and answers
 * without a body, not chunks.
 */
final class ResponseScanner {
  private static final byte[] CONTENT_LENGTH =
      "\ncontent-length:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CHUNKED = "\ntransfer-encoding:".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_MAX = 64 << 10;

  private byte[] head = new byte[2_048];
  private int length;
  private boolean headDone;
  private long bodyLeft;
  private int status;

  void reset() {
    length = 0;
    headDone = false;
    bodyLeft = 0;
    status = 0;
  }

  int status() {
    return status;
  }

  /** Takes what has arrived; true when the answer is complete. */
  boolean scan(ByteBuffer arrived) throws ProtocolException {
    while (!headDone && arrived.hasRemaining()) {
      byte b = arrived.get();
      if (length == head.length) {
        grow();
      }
      head[length++] = b;
      if (b == '\n' && length >= 4 && head[length - 3] == '\n') {
        headDone = true;
        readHead();
      }
    }
    if (!headDone) {
      return false;
    }
    bodyLeft -= arrived.remaining();
    if (bodyLeft < 0) {
      throw new ProtocolException("the server sent more than an answer");
    }
    return bodyLeft == 0;
  }

  private void grow() throws ProtocolException {
    if (head.length == HEAD_MAX) {
      throw new ProtocolException("the head of an answer is too long");
    }
    head = Arrays.copyOf(head, head.length * 2);
  }

  private void readHead() throws ProtocolException {
    if (length < 12 || head[0] != 'H') {
      throw new ProtocolException("this is not an HTTP server");
    }
    status = (head[9] - '0') * 100 + (head[10] - '0') * 10 + (head[11] - '0');
    int at = find(CONTENT_LENGTH);
    if (at >= 0) {
      bodyLeft = digits(at);
    } else if (find(CHUNKED) >= 0) {
      throw new ProtocolException("the server answers in chunks");
    }
  }

  private long digits(int from) {
    long value = 0;
    for (int i = from; i < length && head[i] != '\r'; i++) {
      if (head[i] >= '0' && head[i] <= '9') {
        value = value * 10 + (head[i] - '0');
      }
    }
    return value;
  }

  /** Where the value of a header begins, or -1. */
  private int find(byte[] lowerCaseName) {
    for (int i = 0; i + lowerCaseName.length < length; i++) {
      int j = 0;
      while (j < lowerCaseName.length && lower(head[i + j]) == lowerCaseName[j]) {
        j++;
      }
      if (j == lowerCaseName.length) {
        return i + j;
      }
    }
    return -1;
  }

  private static byte lower(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
  }
}
