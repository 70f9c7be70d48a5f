package dev.partita.http.route;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.model.HttpEntity;
import akka.http.scaladsl.model.EntityStreamSizeException;
import akka.stream.Materializer;
import akka.stream.javadsl.Sink;
import akka.util.ByteString;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Reads bodies that did not come in one piece with their headers. A body that is too long is read to its end and
 * thrown away, so that the client gets to see the 413 instead of a reset connection.
 */
final class Bodies {
  private final Materializer materializer;
  private final Executor executor;
  private final Settings settings;

  Bodies(ActorSystem<?> system, Settings settings) {
    this.materializer = Materializer.createMaterializer(system);
    this.executor = system.executionContext();
    this.settings = settings;
  }

  /** The body of a strict entity: no copy. */
  static Bytes strict(HttpEntity.Strict entity) {
    if (entity.getData().length() > Settings.BODY_BYTES_MAX) {
      throw tooLarge();
    }
    return Bytes.wrap(entity.getData().toArrayUnsafe());
  }

  /** Fails with a {@link Refusal}: 413 for too many bytes, 408 for too slow a client. */
  CompletableFuture<Bytes> read(HttpEntity entity) {
    return entity
        .withSizeLimit(Settings.BODY_BYTES_DRAINED_MAX)
        .getDataBytes()
        .runWith(Sink.fold(new Collected(), Collected::add), materializer)
        .thenApplyAsync(Collected::bytes, executor)
        .toCompletableFuture()
        .orTimeout(settings.bodyTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .handleAsync(
            (bytes, failure) -> {
              if (failure == null) {
                return bytes;
              }
              if (isTooLong(failure)) {
                throw tooLarge();
              }
              throw Refusals.of(failure)
                  .orElseGet(() -> new Refusal(
                      ErrorCode.REQUEST_TIMEOUT,
                      "The body of the request did not arrive within "
                          + settings.bodyTimeout().toSeconds() + " s, or its connection broke."));
            },
            executor);
  }

  private static boolean isTooLong(Throwable failure) {
    return failure instanceof EntityStreamSizeException
        || failure.getCause() instanceof EntityStreamSizeException;
  }

  /** Reads on to the end of a request that is refused, so that its connection stays of use. */
  void discard(HttpEntity entity) {
    entity
        .withSizeLimit(Settings.BODY_BYTES_DRAINED_MAX)
        .getDataBytes()
        .runWith(Sink.ignore(), materializer);
  }

  static Refusal tooLarge() {
    return new Refusal(
        ErrorCode.TOO_LARGE,
        "The body is larger than " + Settings.BODY_BYTES_MAX
            + " bytes of UTF-8, which is as large as an item may be.");
  }

  /** What came so far, up to the limit. */
  private static final class Collected {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long length;

    Collected add(ByteString chunk) {
      length += chunk.length();
      if (length <= Settings.BODY_BYTES_MAX) {
        bytes.writeBytes(chunk.toArrayUnsafe());
      }
      return this;
    }

    Bytes bytes() {
      if (length > Settings.BODY_BYTES_MAX) {
        throw tooLarge();
      }
      return Bytes.wrap(bytes.toByteArray());
    }
  }
}
