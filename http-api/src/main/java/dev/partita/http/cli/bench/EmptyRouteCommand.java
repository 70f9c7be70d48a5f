package dev.partita.http.cli.bench;

import akka.actor.ActorSystem;
import akka.http.javadsl.Http;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.japi.function.Function;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The second yardstick of {@code bench}: an Akka HTTP server that reads a request and answers it, and does nothing else. */
@Command(
    name = "bench-empty-route",
    hidden = true,
    description = "Serves nothing, on any free port, until it is stopped.")
public final class EmptyRouteCommand implements Callable<Integer> {
  private static final long BODY_MILLIS_MAX = 5_000;

  @Spec
  private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    var settings = ConfigFactory.parseMap(Map.of(
            "akka.actor.provider",
            "local",
            "akka.actor.default-dispatcher.fork-join-executor.parallelism-max",
            Runtime.getRuntime().availableProcessors(),
            "akka.http.server.max-connections",
            4_096,
            "akka.http.server.server-header",
            ""))
        .withFallback(ConfigFactory.defaultReference());
    var system = ActorSystem.create("empty-route", settings);
    var empty = HttpResponse.create().withStatus(StatusCodes.OK);
    Function<HttpRequest, CompletionStage<HttpResponse>> handler =
        request -> request.entity() instanceof HttpEntity.Strict
            ? CompletableFuture.completedFuture(empty)
            : request.toStrict(BODY_MILLIS_MAX, system).thenApply(whole -> empty);
    var binding = Http.get(system)
        .newServerAt("127.0.0.1", 0)
        .bind(handler)
        .toCompletableFuture()
        .join();
    var out = Objects.requireNonNull(spec, "picocli sets it").commandLine().getOut();
    out.printf("endpoint  http://127.0.0.1:%d/%n%n", binding.localAddress().getPort());
    out.flush();
    system.getWhenTerminated().toCompletableFuture().join();
    return 0;
  }
}
