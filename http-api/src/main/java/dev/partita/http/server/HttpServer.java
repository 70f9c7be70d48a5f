package dev.partita.http.server;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.ConnectionContext;
import akka.http.javadsl.Http;
import akka.http.javadsl.ServerBinding;
import akka.http.javadsl.ServerBuilder;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.settings.ServerSettings;
import akka.japi.function.Function;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import dev.partita.http.protocol.Authenticator;
import dev.partita.http.route.Router;
import dev.partita.runtime.api.Partita;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The listening sockets of a node, plain and TLS, in front of one {@link Partita}. */
public final class HttpServer {
  /**
   * What Akka's parser lets through to us. Headers come raw, since the dialect's values are not those of the
   * standard headers (authorization, If-None-Match); values that change with every request are not cached. Limits
   * are a bit above ours, so that it is ours that answer, in JSON.
   */
  private static final Config PARSER = ConfigFactory.parseString("""
      server-header = ""
      raw-request-uri-header = on
      remote-address-attribute = off
      request-timeout = 75 s
      transparent-head-requests = off
      parsing {
        error-handler = "dev.partita.http.server.JsonParsingErrorHandler"
        modeled-header-parsing = off
        illegal-header-warnings = off
        uri-parsing-mode = strict
        max-uri-length = 16k
        max-header-value-length = 96k
        max-header-count = 128
        max-content-length = 64m
        header-cache {
          authorization = 0
          x-ms-date = 0
          x-ms-activity-id = 0
          x-ms-session-token = 0
          x-ms-documentdb-partitionkey = 0
          x-ms-continuation = 0
        }
      }
      """);

  private final ActorSystem<?> system;
  private final Router router;
  private final Optional<TlsMaterial> tls;
  private final List<ServerBinding> bindings = new ArrayList<>();

  private HttpServer(
      ActorSystem<?> system, Partita partita, HttpSettings settings, Optional<TlsMaterial> tls) {
    this.system = system;
    this.tls = tls;
    this.router = new Router(
        system,
        partita,
        new Authenticator(settings.keys(), settings.clock(), settings.skewMax()),
        settings.routes(),
        tls.map(TlsMaterial::certificatePem));
  }

  /**
   * Binds what the settings name.
   *
   * @return the server when all its sockets listen; fails with an {@link IllegalArgumentException} that carries {@link
   *     HttpSettings#problem}, a {@link TlsMaterial.Unusable}, or Akka's exception when a port is taken, and then no
   *     socket is left open
   */
  public static CompletionStage<HttpServer> start(
      ActorSystem<?> system, Partita partita, HttpSettings settings) {
    try {
      settings.problem().ifPresent(problem -> {
        throw new IllegalArgumentException(problem);
      });
      Optional<TlsMaterial> tls = settings.tlsPort().isPresent()
          ? Optional.of(TlsMaterial.load(settings.tls()))
          : Optional.empty();
      return new HttpServer(system, partita, settings, tls).bind(settings);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<HttpServer> bind(HttpSettings settings) {
    CompletionStage<Void> plain = settings.port().isPresent()
        ? bind(settings, settings.port().getAsInt(), Optional.empty())
        : CompletableFuture.completedFuture(null);
    CompletionStage<Void> both = settings.tlsPort().isPresent()
        ? plain.thenComposeAsync(
            done -> bind(settings, settings.tlsPort().getAsInt(), tls), system.executionContext())
        : plain;
    return both.handleAsync(
            (done, failure) -> failure == null
                ? CompletableFuture.completedFuture(this)
                : unbind()
                    .<HttpServer>thenComposeAsync(
                        ignored -> CompletableFuture.failedFuture(failure),
                        system.executionContext()),
            system.executionContext())
        .thenComposeAsync(result -> result, system.executionContext());
  }

  private CompletionStage<Void> bind(
      HttpSettings settings, int port, Optional<TlsMaterial> secured) {
    ServerBuilder builder =
        Http.get(system).newServerAt(settings.host(), port).withSettings(serverSettings(settings));
    if (secured.isPresent()) {
      builder = builder.enableHttps(ConnectionContext.httpsServer(secured.get().context()));
    }
    String scheme = secured.isPresent() ? "https" : "http";
    String defaultHost = settings.host() + ":" + port;
    Function<HttpRequest, CompletionStage<HttpResponse>> handler =
        request -> router.handle(request, scheme, defaultHost);
    return builder
        .bind(handler)
        .thenAcceptAsync(
            binding -> {
              synchronized (bindings) {
                bindings.add(binding);
              }
            },
            system.executionContext());
  }

  private ServerSettings serverSettings(HttpSettings settings) {
    Config all = system.settings().config();
    Config server = PARSER
        .withFallback(all.getConfig("akka.http.server"))
        .withValue("max-connections", ConfigValueFactory.fromAnyRef(settings.connectionsMax()))
        .withValue("backlog", ConfigValueFactory.fromAnyRef(settings.backlog()))
        .withValue(
            "idle-timeout",
            ConfigValueFactory.fromAnyRef(settings.idleTimeout().toMillis() + " ms"));
    return ServerSettings.create(server.atPath("akka.http.server").withFallback(all));
  }

  /** Where plain HTTP listens, if it does. */
  public Optional<InetSocketAddress> plainAddress() {
    return address(false);
  }

  /** Where HTTPS listens, if it does. */
  public Optional<InetSocketAddress> tlsAddress() {
    return address(true);
  }

  private Optional<InetSocketAddress> address(boolean secured) {
    synchronized (bindings) {
      int index = secured && tls.isPresent() ? bindings.size() - 1 : 0;
      boolean present = secured ? tls.isPresent() : bindings.size() > (tls.isPresent() ? 1 : 0);
      return present ? Optional.of(bindings.get(index).localAddress()) : Optional.empty();
    }
  }

  /** The certificate shown to clients, in PEM, when there is HTTPS. */
  public Optional<String> certificatePem() {
    return tls.map(TlsMaterial::certificatePem);
  }

  /**
   * Stops: no new connections, requests in flight are answered, idle connections are closed; what is left at the
   * deadline is cut.
   */
  public CompletionStage<Void> terminate(Duration deadline) {
    return each(binding -> binding.terminate(deadline));
  }

  private CompletionStage<Void> unbind() {
    return each(ServerBinding::unbind);
  }

  private CompletionStage<Void> each(
      java.util.function.Function<ServerBinding, CompletionStage<?>> step) {
    List<ServerBinding> bound;
    synchronized (bindings) {
      bound = List.copyOf(bindings);
    }
    return CompletableFuture.allOf(bound.stream()
        .map(binding -> step.apply(binding).toCompletableFuture())
        .toArray(CompletableFuture<?>[]::new));
  }
}
