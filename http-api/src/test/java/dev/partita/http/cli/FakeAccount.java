package dev.partita.http.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As much of an account as the command line needs, in memory, with failures to order. The commands are tested against it;
 * that a node behaves like it is shown by the multi-JVM tests.
 */
public final class FakeAccount implements AutoCloseable {
  /** What goes wrong with an item request. */
  public enum Fault {
    NONE,
    THROTTLED,
    UNAVAILABLE,
    REFUSED,
    UNAUTHORIZED,
    /** The item is stored, but the connection breaks before the answer. */
    LOST_ANSWER
  }

  /** Decides what goes wrong; called once per item request, from many threads. */
  public interface Faults {
    Fault next(int request, String id);
  }

  static {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else 40 ms per request
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final AtomicInteger itemRequests = new AtomicInteger();
  private final Map<String, String> items = new ConcurrentSkipListMap<>();
  private final Map<String, ObjectNode> containers = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListSet<String> databases = new ConcurrentSkipListSet<>();
  private final List<String> unsigned = new ArrayList<>();
  private volatile Faults faults = (request, id) -> Fault.NONE;
  private volatile String status = "{\"nodes\":[],\"containers\":[]}";

  public FakeAccount() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      try (exchange) {
        serve(exchange);
      }
    });
    server.setExecutor(threads);
    server.start();
  }

  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Bodies by partition key header and id, with a space between. */
  public Map<String, String> items() {
    return items;
  }

  public JsonNode container(String path) {
    return containers.get(path);
  }

  public int itemRequests() {
    return itemRequests.get();
  }

  public List<String> unsigned() {
    return unsigned;
  }

  public void faults(Faults next) {
    faults = next;
  }

  public void status(String json) {
    status = json;
  }

  private void serve(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var body = exchange.getRequestBody().readAllBytes();
    if (path.equals("/_partita/status")) {
      boolean known = exchange.getRequestHeaders().containsKey("x-partita-key");
      answer(
          exchange,
          known ? 200 : 401,
          known ? status : "{\"code\":\"Unauthorized\",\"message\":\"no key\"}");
      return;
    }
    if (!exchange.getRequestHeaders().containsKey("authorization")) {
      unsigned.add(path);
    }
    var segments = path.substring(1).split("/", -1);
    if (path.endsWith("/docs")) {
      item(exchange, body);
    } else if (exchange.getRequestMethod().equals("GET")) {
      var found = containers.get(path);
      answer(
          exchange,
          found == null ? 404 : 200,
          found == null ? "{\"code\":\"NotFound\"}" : found.toString());
    } else if (path.equals("/dbs")) {
      answer(exchange, databases.add(JSON.readTree(body).path("id").asText()) ? 201 : 409, "{}");
    } else if (!databases.contains(segments[1])) {
      answer(exchange, 404, "{\"code\":\"NotFound\"}");
    } else {
      var definition = (ObjectNode) JSON.readTree(body);
      definition.put("_rid", "rid").put("_etag", "\"1\"");
      var throughput = exchange.getRequestHeaders().getFirst("x-ms-offer-throughput");
      definition.put("throughput", throughput);
      containers.put(path + "/" + definition.path("id").asText(), definition);
      answer(exchange, 201, definition.toString());
    }
  }

  private void item(HttpExchange exchange, byte[] body) throws IOException {
    var id = JSON.readTree(body).path("id").asText();
    switch (faults.next(itemRequests.getAndIncrement(), id)) {
      case THROTTLED -> {
        exchange.getResponseHeaders().set("x-ms-retry-after-ms", "1");
        answer(exchange, 429, "{\"code\":\"TooManyRequests\"}");
      }
      case UNAVAILABLE ->
        answer(exchange, 503, "{\"code\":\"ServiceUnavailable\",\"message\":\"no quorum\"}");
      case REFUSED ->
        answer(exchange, 413, "{\"code\":\"RequestEntityTooLarge\",\"message\":\"over 2 MB\"}");
      case UNAUTHORIZED ->
        answer(exchange, 401, "{\"code\":\"Unauthorized\",\"message\":\"wrong key\"}");
      case LOST_ANSWER -> store(exchange, id, body);
      case NONE -> {
        boolean created = store(exchange, id, body);
        answer(exchange, created ? 201 : 200, "");
      }
    }
  }

  private boolean store(HttpExchange exchange, String id, byte[] body) {
    var key = exchange.getRequestHeaders().getFirst("x-ms-documentdb-partitionkey");
    return items.put(key + " " + id, new String(body, StandardCharsets.UTF_8)) == null;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
