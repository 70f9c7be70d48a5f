package dev.partita.persistence.snapshot;

import akka.dispatch.Futures;
import akka.persistence.SelectedSnapshot;
import akka.persistence.SnapshotMetadata;
import akka.persistence.SnapshotSelectionCriteria;
import akka.persistence.snapshot.japi.SnapshotStore;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import com.typesafe.config.Config;
import dev.partita.persistence.snapshot.SnapshotDirectory.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;

/**
 * An Akka Persistence snapshot store on plain files; plugin id {@code
 * partita.persistence.snapshot-store}.
 *
 * <p>A snapshot is durable when its saving succeeds. Loading takes the newest one that matches and is
 * readable: a damaged one is passed over with a warning. If none is readable though some match,
 * loading fails, since the events that they stood for may be deleted.
 */
public final class PartitaSnapshotStore extends SnapshotStore {
  private static final Logger logger = LoggerFactory.getLogger(PartitaSnapshotStore.class);

  private final Serialization serialization;
  private final SnapshotDirectory directory;
  private final ExecutionContext blocking;

  /**
   * Called by Akka with the configuration of the plugin.
   *
   * @throws IOException if the directory cannot be created
   */
  public PartitaSnapshotStore(Config config) throws IOException {
    var system = context().system();
    serialization = SerializationExtension.get(system);
    directory = new SnapshotDirectory(Path.of(config.getString("directory")));
    blocking = system.dispatchers().lookup(config.getString("blocking-dispatcher"));
  }

  @Override
  public Future<Optional<SelectedSnapshot>> doLoadAsync(
      String persistenceId, SnapshotSelectionCriteria criteria) {
    return future(() -> load(persistenceId, criteria));
  }

  @Override
  public Future<Void> doSaveAsync(SnapshotMetadata metadata, Object snapshot) {
    return future(() -> {
      var details = metadata.metadata();
      directory.save(new SnapshotFile(
          metadata.persistenceId(),
          metadata.sequenceNr(),
          metadata.timestamp(),
          serialize(snapshot),
          details.isEmpty() ? null : serialize(details.get())));
      return null;
    });
  }

  /** Deletes by sequence number, and by timestamp too unless that is 0. */
  @Override
  public Future<Void> doDeleteAsync(SnapshotMetadata metadata) {
    return delete(
        metadata.persistenceId(),
        metadata.timestamp() == 0
            ? new SnapshotSelectionCriteria(
                metadata.sequenceNr(), Long.MAX_VALUE, metadata.sequenceNr(), 0)
            : new SnapshotSelectionCriteria(
                metadata.sequenceNr(),
                metadata.timestamp(),
                metadata.sequenceNr(),
                metadata.timestamp()));
  }

  @Override
  public Future<Void> doDeleteAsync(String persistenceId, SnapshotSelectionCriteria criteria) {
    return delete(persistenceId, criteria);
  }

  private Future<Void> delete(String persistenceId, SnapshotSelectionCriteria criteria) {
    return future(() -> {
      directory.delete(persistenceId, matching(persistenceId, criteria));
      return null;
    });
  }

  private Optional<SelectedSnapshot> load(String persistenceId, SnapshotSelectionCriteria criteria)
      throws IOException {
    IOException unreadable = null;
    for (Entry entry : matching(persistenceId, criteria)) {
      try {
        return Optional.of(selected(SnapshotFile.read(entry.file())));
      } catch (IOException | RuntimeException e) {
        logger.warn("{}; trying an older snapshot of {}", e.getMessage(), persistenceId, e);
        unreadable = new IOException("no snapshot of %s is readable".formatted(persistenceId), e);
      }
    }
    if (unreadable != null) {
      throw unreadable;
    }
    return Optional.empty();
  }

  private List<Entry> matching(String persistenceId, SnapshotSelectionCriteria criteria)
      throws IOException {
    return directory.list(persistenceId).stream()
        .filter(entry -> criteria.matches(
            new SnapshotMetadata(persistenceId, entry.sequenceNr(), entry.timestamp())))
        .toList();
  }

  private SelectedSnapshot selected(SnapshotFile file) throws IOException {
    Option<Object> details =
        file.metadata() == null ? Option.empty() : Option.apply(deserialize(file.metadata()));
    return SelectedSnapshot.create(
        new SnapshotMetadata(file.persistenceId(), file.sequenceNr(), file.timestamp(), details),
        deserialize(file.snapshot()));
  }

  private SnapshotFile.Value serialize(Object value) {
    byte[] bytes = serialization.serialize(value).get();
    Serializer serializer = serialization.findSerializerFor(value);
    return new SnapshotFile.Value(
        serializer.identifier(), Serializers.manifestFor(serializer, value), bytes);
  }

  private Object deserialize(SnapshotFile.Value value) {
    return serialization
        .deserialize(value.bytes(), value.serializerId(), value.manifest())
        .get();
  }

  private <T extends @Nullable Object> Future<T> future(Callable<T> action) {
    return Futures.future(action, blocking);
  }
}
