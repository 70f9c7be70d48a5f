package dev.partita.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sends bytes as they are, right or wrong, on a connection of their own. */
public final class RawClient {
  private RawClient() {}

  public static Call.Answer send(
      int port, String method, String target, Map<String, String> headers, byte[] body)
      throws IOException {
    var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    var all = new LinkedHashMap<String, String>();
    all.put("Host", "127.0.0.1:" + port);
    all.put("Connection", "close");
    all.put("Content-Length", Integer.toString(body.length));
    all.putAll(headers);
    all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(body);
    return send(port, bytes.toByteArray());
  }

  public static Call.Answer send(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      try {
        out.write(request);
        out.flush();
      } catch (SocketException closedByServer) {
        // What it answered before is still there to be read.
      }
      return parse(socket.getInputStream().readAllBytes());
    }
  }

  static Call.Answer read(InputStream in) throws IOException {
    return parse(in.readAllBytes());
  }

  private static Call.Answer parse(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no HTTP answer: " + text);
    }
    List<String> lines = text.substring(0, end).lines().toList();
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.size(); i++) {
      int colon = lines.get(i).indexOf(':');
      headers
          .computeIfAbsent(
              lines.get(i).substring(0, colon).toLowerCase(Locale.ROOT), n -> new ArrayList<>())
          .add(lines.get(i).substring(colon + 1).strip());
    }
    byte[] body = text.substring(end + 4).getBytes(StandardCharsets.ISO_8859_1);
    return new Call.Answer(Integer.parseInt(lines.get(0).substring(9, 12)), headers, body);
  }
}
