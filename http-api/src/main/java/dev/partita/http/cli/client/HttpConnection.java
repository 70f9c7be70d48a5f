package dev.partita.http.cli.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One keep-alive HTTP/1.1 connection, one request at a time. Any {@link IOException} leaves it unusable, and the outcome
 * of the request unknown.
 */
public final class HttpConnection implements Closeable {
  private static final int LINE_MAX = 64 << 10;

  private final Socket socket;
  private final InputStream in;
  private final String host;
  private boolean open = true;

  HttpConnection(Socket socket, String host) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
    this.host = host;
  }

  /** Whether the connection can take another request. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param target percent-encoded path
   */
  public Reply exchange(String verb, String target, Map<String, String> headers, byte[] body)
      throws IOException {
    boolean answered = false;
    try {
      socket.getOutputStream().write(request(verb, target, headers, body));
      var reply = readReply();
      answered = true;
      return reply;
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  private byte[] request(String verb, String target, Map<String, String> headers, byte[] body) {
    var head = new StringBuilder(512);
    head.append(verb)
        .append(' ')
        .append(target)
        .append(" HTTP/1.1\r\nHost: ")
        .append(host)
        .append("\r\n");
    headers.forEach(
        (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (body.length > 0 || verb.equals("POST") || verb.equals("PUT")) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    var headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    var all = new byte[headBytes.length + body.length]; // one write, one packet
    System.arraycopy(headBytes, 0, all, 0, headBytes.length);
    System.arraycopy(body, 0, all, headBytes.length, body.length);
    return all;
  }

  private Reply readReply() throws IOException {
    var statusLine = readLine().split(" ", 3);
    if (statusLine.length < 2 || !statusLine[0].startsWith("HTTP/1.")) {
      throw new ProtocolException("this is not an HTTP server");
    }
    int status = number(statusLine[1], 10);
    var headers = new HashMap<String, String>();
    for (var line = readLine(); !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT),
            line.substring(colon + 1).strip());
      }
    }
    var body = readBody(status, headers);
    if ("close".equalsIgnoreCase(headers.get("connection"))) {
      close();
    }
    return new Reply(status, headers, body);
  }

  private byte[] readBody(int status, Map<String, String> headers) throws IOException {
    if (status == 204 || status == 304) {
      return new byte[0];
    }
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      var body = new ByteArrayOutputStream();
      for (int size = readChunkSize(); size > 0; size = readChunkSize()) {
        body.writeBytes(readFully(size));
        readLine();
      }
      while (!readLine().isEmpty()) {} // trailers are not used
      return body.toByteArray();
    }
    var length = headers.get("content-length");
    if (length != null) {
      return readFully(number(length, 10));
    }
    var rest = in.readAllBytes();
    close();
    return rest;
  }

  private int readChunkSize() throws IOException {
    return number(readLine().split(";", 2)[0].strip(), 16);
  }

  private byte[] readFully(int length) throws IOException {
    var bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection was closed in the middle of an answer");
    }
    return bytes;
  }

  private String readLine() throws IOException {
    var line = new StringBuilder(64);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection was closed before the answer");
      }
      if (line.length() == LINE_MAX) {
        throw new ProtocolException("a line of the answer is too long");
      }
      line.append((char) b);
    }
    int end = line.length();
    return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
  }

  private static int number(String text, int radix) throws ProtocolException {
    try {
      return Integer.parseUnsignedInt(text, radix);
    } catch (NumberFormatException e) {
      throw new ProtocolException("this is not an HTTP server: '" + text + "' is no number");
    }
  }

  @Override
  public void close() {
    open = false;
    try {
      socket.close();
    } catch (IOException e) {
      // It is given up either way.
    }
  }
}
