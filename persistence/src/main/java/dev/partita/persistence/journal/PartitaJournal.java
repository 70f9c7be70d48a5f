package dev.partita.persistence.journal;

import akka.dispatch.Futures;
import akka.persistence.AtomicWrite;
import akka.persistence.PersistentRepr;
import akka.persistence.journal.Tagged;
import akka.persistence.journal.japi.AsyncWriteJournal;
import akka.serialization.SerializationExtension;
import com.typesafe.config.Config;
import dev.partita.persistence.log.SegmentedLog;
import dev.partita.persistence.log.Write;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An Akka Persistence journal over a {@link SegmentedLog}; plugin id {@code
 * partita.persistence.journal}.
 *
 * <p>The writes that a persistent actor hands over together become durable together. An event that
 * cannot be serialised or stored is rejected, with the others of its {@code persistAll}. A second
 * writer for the same persistence id fails at its first write, and so stops.
 *
 * <p>An event in a {@link Tagged} is stored without it. If the tags contain the one that {@code
 * replaces-history-tag} names, all earlier events of the persistence id are deleted atomically with
 * the write of this one: a replay begins with it, and a crash leaves all of the old or only the new.
 */
public final class PartitaJournal extends AsyncWriteJournal {
  private final SegmentedLog log;
  private final EventCodec codec;
  private final String replacesHistoryTag;

  /** Called by Akka with the configuration of the plugin. */
  public PartitaJournal(Config config) {
    var system = context().system();
    log = PartitaLog.get(system).log(config);
    codec = new EventCodec(SerializationExtension.get(system), Clock.systemUTC());
    replacesHistoryTag = config.getString("replaces-history-tag");
  }

  @Override
  public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(
      Iterable<AtomicWrite> messages) {
    var outcomes = new ArrayList<Optional<Exception>>();
    var writes = new ArrayList<Write>(1);
    for (AtomicWrite atomic : messages) {
      outcomes.add(add(atomic, writes));
    }
    var promise = Futures.<Iterable<Optional<Exception>>>promise();
    boolean allAccepted = outcomes.stream().allMatch(Optional::isEmpty);
    append(writes, 0, allAccepted ? Collections.emptyList() : outcomes, promise);
    return promise.future();
  }

  @Override
  public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
    var promise = Futures.<Void>promise();
    log.append(
        new Write().deleteTo(persistenceId, toSequenceNr),
        failure -> complete(promise, null, failure));
    return promise.future();
  }

  @Override
  public Future<Void> doAsyncReplayMessages(
      String persistenceId,
      long fromSequenceNr,
      long toSequenceNr,
      long max,
      Consumer<PersistentRepr> replayCallback) {
    return future(log.replay(
        persistenceId,
        fromSequenceNr,
        toSequenceNr,
        max,
        (sequenceNr, body) ->
            replayCallback.accept(codec.decode(persistenceId, sequenceNr, body))));
  }

  @Override
  public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
    return future(log.highestSequenceNr(persistenceId));
  }

  /** Adds an atomic write to the last of the log's writes, or to a new one if that would be too big. */
  private Optional<Exception> add(AtomicWrite atomic, List<Write> writes) {
    Write encoded;
    try {
      encoded = encode(atomic);
    } catch (Exception rejected) { // a serializer may throw anything
      return Optional.of(rejected);
    }
    if (encoded.sizeBytesMax() > log.largestWriteBytes()) {
      return Optional.of(new IllegalArgumentException(
          "an atomic write of %d bytes does not fit into a log segment: raise segment-size"
              .formatted(encoded.sizeBytesMax())));
    }
    var last = writes.isEmpty() ? null : writes.get(writes.size() - 1);
    if (last == null || last.sizeBytesMax() + encoded.sizeBytesMax() > log.largestWriteBytes()) {
      writes.add(encoded);
    } else {
      last.addAll(encoded);
    }
    return Optional.empty();
  }

  private Write encode(AtomicWrite atomic) throws Exception {
    var write = new Write();
    for (PersistentRepr event : CollectionConverters.asJava(atomic.payload())) {
      var tags = new TreeSet<String>();
      var payload = event.payload();
      if (payload instanceof Tagged tagged) {
        tags.addAll(CollectionConverters.asJava(tagged.tags()));
        payload = tagged.payload();
      }
      if (tags.remove(replacesHistoryTag)) {
        write.eventReplacingHistory(
            event.persistenceId(), event.sequenceNr(), codec.encode(event, payload, tags));
      } else {
        write.event(event.persistenceId(), event.sequenceNr(), codec.encode(event, payload, tags));
      }
    }
    return write;
  }

  /** Appends one write after the other, which are more than one only if no segment can hold all. */
  private void append(
      List<Write> writes,
      int at,
      Iterable<Optional<Exception>> outcomes,
      Promise<Iterable<Optional<Exception>>> promise) {
    if (at == writes.size()) {
      promise.success(outcomes);
      return;
    }
    log.append(writes.get(at), failure -> {
      if (failure == null) {
        append(writes, at + 1, outcomes, promise);
      } else {
        promise.failure(failure);
      }
    });
  }

  private static <T> Future<T> future(CompletionStage<T> stage) {
    var promise = Futures.<T>promise();
    stage.whenComplete((value, failure) -> complete(promise, value, failure));
    return promise.future();
  }

  private static <T> void complete(
      Promise<T> promise, @Nullable T value, @Nullable Throwable failure) {
    if (failure == null) {
      promise.success(value);
    } else {
      promise.failure(failure);
    }
  }
}
