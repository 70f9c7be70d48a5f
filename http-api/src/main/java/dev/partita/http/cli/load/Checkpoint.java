package dev.partita.http.cli.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.partita.http.cli.load.LineLedger.Position;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;

/**
 * Remembers how far a load came. It counts only for the same file (path, size, time of change) and the same container
 * (resource id and etag: a container made anew is another one); anything else starts from the first line.
 */
final class Checkpoint {
  /** What a checkpoint is about, and where it stood. Public fields of the JSON file. */
  record Entry(
      String file,
      long bytes,
      long changed,
      String endpoint,
      String container,
      long line,
      long rejected) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;
  private final Entry subject;

  private Checkpoint(Path path, Entry subject) {
    this.path = path;
    this.subject = subject;
  }

  /**
   * The checkpoint for loading {@code file} into a container.
   *
   * @param directory where checkpoints are kept
   * @param container resource id and etag of the container
   */
  static Checkpoint of(Path directory, Path file, String endpoint, String container)
      throws IOException {
    var absolute = file.toRealPath();
    var subject = new Entry(
        absolute.toString(),
        Files.size(file),
        Files.getLastModifiedTime(file).toMillis(),
        endpoint,
        container,
        0,
        0);
    var name = UUID.nameUUIDFromBytes(
        (absolute + "\n" + endpoint + "\n" + container).getBytes(StandardCharsets.UTF_8));
    return new Checkpoint(directory.resolve(name + ".json"), subject);
  }

  /** Where the last run stood, if it was about the same file and container. */
  Optional<Position> read() {
    try {
      var entry = JSON.readValue(Files.readAllBytes(path), Entry.class);
      return at(new Position(entry.line(), entry.rejected())).equals(entry)
          ? Optional.of(new Position(entry.line(), entry.rejected()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty(); // damaged: loading from the first line is always right
    } catch (IOException e) {
      return Optional.empty(); // there is none
    }
  }

  void write(Position position) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    var next = path.resolveSibling(path.getFileName() + ".new");
    Files.write(next, JSON.writeValueAsBytes(at(position)));
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  private Entry at(Position position) {
    return new Entry(
        subject.file(),
        subject.bytes(),
        subject.changed(),
        subject.endpoint(),
        subject.container(),
        position.line(),
        position.rejected());
  }
}
