package dev.partita.http;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import dev.partita.http.protocol.AccountKeys;
import dev.partita.http.server.HttpServer;
import dev.partita.http.server.HttpSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An HTTP server on a free port of the loopback address, over a {@link FakePartita}. */
public final class TestServer implements AutoCloseable {
  public static final AccountKeys KEYS = AccountKeys.of(AccountKeys.EMULATOR);

  public final FakePartita partita = new FakePartita();
  public final HttpServer server;
  private final ActorSystem<Void> system;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public TestServer() {
    this(settings -> settings);
  }

  public TestServer(UnaryOperator<HttpSettings> change) {
    system = ActorSystem.create(
        Behaviors.empty(),
        "http-test",
        ConfigFactory.parseString("""
                akka.loglevel = WARNING
                akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                """).withFallback(ConfigFactory.load()));
    try {
      server = HttpServer.start(
              system, partita, change.apply(HttpSettings.of("127.0.0.1", 0, KEYS)))
          .toCompletableFuture()
          .get(20, TimeUnit.SECONDS);
    } catch (Exception e) {
      system.terminate();
      throw new IllegalStateException(e);
    }
  }

  public ActorSystem<Void> system() {
    return system;
  }

  public int port() {
    return server.plainAddress().orElseThrow().getPort();
  }

  public URI uri(String rawPath) {
    return URI.create("http://127.0.0.1:" + port() + rawPath);
  }

  public Call call(String method, String rawPath) {
    return new Call(client, uri(rawPath), method, rawPath);
  }

  public Call get(String rawPath) {
    return call("GET", rawPath);
  }

  public Call post(String rawPath, String body) {
    return call("POST", rawPath).body(body);
  }

  /** A database {@code d} and in it a container {@code c} with key {@code /pk}. */
  public void createContainer(int partitions) {
    post("/dbs", "{\"id\":\"d\"}").expect(201);
    post(
            "/dbs/d/colls",
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}")
        .header("x-partita-physical-partitions", Integer.toString(partitions))
        .expect(201);
  }

  @Override
  public void close() {
    server.terminate(Duration.ofSeconds(2)).toCompletableFuture().join();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().join();
  }
}
