package dev.partita.http.route;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import dev.partita.http.protocol.Authenticator;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestHeaders;
import dev.partita.http.protocol.RequestPath;
import dev.partita.runtime.api.Partita;
import dev.partita.runtime.model.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door for every request: reads path and headers, checks the signature before the body, bounds what is in flight,
 * and turns every failure into JSON. A mistake of the client is never a 500.
 */
public final class Router {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);
  private static final int ACTIVITY_ID_MAX = 64;
  private static final RequestPath UNKNOWN_PATH = new RequestPath("", List.of());

  private final Routes routes;
  private final Authenticator authenticator;
  private final Admission admission;
  private final Bodies bodies;
  private final Settings settings;

  /**
   * @param certificatePem what {@code /_partita/certificate} shows; empty without HTTPS
   */
  public Router(
      ActorSystem<?> system,
      Partita partita,
      Authenticator authenticator,
      Settings settings,
      Optional<String> certificatePem) {
    this.routes = new Routes(partita, settings, certificatePem);
    this.authenticator = authenticator;
    this.admission = new Admission(settings);
    this.bodies = new Bodies(system, settings);
    this.settings = settings;
  }

  /**
   * Answers one request. The stage never fails.
   *
   * @param scheme {@code http} or {@code https}, by the socket it came through
   * @param defaultHost host and port for a client that sends no {@code Host}
   */
  public CompletionStage<HttpResponse> handle(
      HttpRequest request, String scheme, String defaultHost) {
    long started = System.nanoTime();
    RequestHeaders headers = RequestHeaders.of(request.getHeaders());
    Exchange bare = new Exchange(
        request.method().value(),
        UNKNOWN_PATH,
        headers,
        Bytes.EMPTY,
        endpoint(scheme, headers.host == null ? defaultHost : headers.host),
        activityId(headers.activityId),
        started);
    try {
      Exchange exchange = bare.withPath(RequestPath.parse(target(request, headers)));
      return answer(exchange, request);
    } catch (RuntimeException e) {
      discard(request);
      return CompletableFuture.completedFuture(failed(bare, e));
    }
  }

  private CompletionStage<HttpResponse> answer(Exchange exchange, HttpRequest request) {
    try {
      Optional<HttpResponse> open = routes.partita().withoutKey(exchange);
      if (open.isPresent()) {
        discard(request);
        return CompletableFuture.completedFuture(open.get());
      }
      refuseDirectMode(exchange);
      if (!PartitaRoute.hasKey(exchange, authenticator)) {
        authenticator.check(
            exchange.method(), exchange.path(), exchange.headers(), exchange.writes());
      }
      return admitted(exchange, request);
    } catch (RuntimeException e) {
      discard(request);
      return CompletableFuture.completedFuture(failed(exchange, e));
    }
  }

  private CompletionStage<HttpResponse> admitted(Exchange exchange, HttpRequest request) {
    long size = size(request);
    if (!admission.enter(size)) {
      throw Refusal.tooMany(
          "The server has as many requests in flight as it takes ("
              + settings.requestsInFlightMax() + ", or "
              + settings.bodyBytesInFlightMax() + " bytes of bodies).",
          settings.retryAfter());
    }
    CompletableFuture<HttpResponse> answer;
    try {
      answer = request.entity() instanceof HttpEntity.Strict strict
          ? routes.route(exchange.withBody(Bodies.strict(strict)))
          : bodies
              .read(request.entity())
              .thenCompose(body -> routes.route(exchange.withBody(body)));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.handle((response, failure) -> {
      admission.leave(size);
      return failure == null ? response : failed(exchange, failure);
    });
  }

  /** A body of unknown length is counted as the largest one. */
  private static long size(HttpRequest request) {
    OptionalLong length = request.entity().getContentLengthOption();
    return Math.min(length.orElse(Settings.BODY_BYTES_MAX), Settings.BODY_BYTES_MAX);
  }

  private void discard(HttpRequest request) {
    if (!(request.entity() instanceof HttpEntity.Strict)) {
      bodies.discard(request.entity());
    }
  }

  private static HttpResponse failed(Exchange exchange, Throwable failure) {
    Reply reply = new Reply(exchange).charge(0);
    Optional<Refusal> refusal = Refusals.of(failure);
    if (refusal.isPresent()) {
      return reply.refuse(refusal.get());
    }
    LOG.error(
        "{} /{} failed, activity {}",
        exchange.method(),
        exchange.path().decoded(),
        exchange.activityId(),
        failure);
    return reply.error(
        ErrorCode.INTERNAL_SERVER_ERROR,
        "The server failed; its log tells more about activity " + exchange.activityId() + ".");
  }

  /** A client in direct mode asks for replica addresses first: it must fail at once and learn why. */
  private static void refuseDirectMode(Exchange exchange) {
    List<String> segments = exchange.path().segments();
    int first = !segments.isEmpty() && segments.get(0).isEmpty() ? 1 : 0;
    if (segments.size() > first && segments.get(first).equals("addresses")) {
      throw Refusal.bad(
          "This server serves gateway mode only. Set the client's connection mode to Gateway: gatewayMode()"
              + " in Java, ConnectionMode.Gateway in .NET.");
    }
  }

  private static String target(HttpRequest request, RequestHeaders headers) {
    return headers.rawRequestUri != null
        ? headers.rawRequestUri
        : request.getUri().path();
  }

  private static String endpoint(String scheme, String host) {
    boolean hasPort = host.lastIndexOf(':') > host.lastIndexOf(']');
    return scheme + "://" + host + (hasPort ? "/" : scheme.equals("https") ? ":443/" : ":80/");
  }

  /** The client's own when it can be repeated in a header without thought. */
  private static String activityId(@Nullable String given) {
    if (given != null && given.length() <= ACTIVITY_ID_MAX) {
      for (int i = 0; i < given.length(); i++) {
        char c = given.charAt(i);
        if (c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
          return fresh();
        }
      }
      return given;
    }
    return fresh();
  }

  /** A random UUID; it names a request in logs and guards nothing, so it need not be secure. */
  private static String fresh() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(
            (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L,
            (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L)
        .toString();
  }
}
