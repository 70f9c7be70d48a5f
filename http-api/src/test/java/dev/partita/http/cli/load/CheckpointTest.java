package dev.partita.http.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.cli.load.LineLedger.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  @TempDir
  Path directory;

  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = Files.writeString(directory.resolve("items.jsonl"), "{}\n");
  }

  @Test
  void tellsWhereTheLastRunStood() throws IOException {
    assertThat(checkpoint("rid etag").read()).isEmpty();
    checkpoint("rid etag").write(new Position(7, 1));
    assertThat(checkpoint("rid etag").read()).contains(new Position(7, 1));
    checkpoint("rid etag").delete();
    assertThat(checkpoint("rid etag").read()).isEmpty();
  }

  @Test
  void countsForTheSameFileAndContainerOnly() throws IOException {
    checkpoint("rid etag").write(new Position(7, 1));
    assertThat(checkpoint("rid other").read()).as("the container was made anew").isEmpty();
    Files.writeString(file, "{}\n{}\n");
    assertThat(checkpoint("rid etag").read()).as("the file was changed").isEmpty();
  }

  @Test
  void aDamagedOneIsNone() throws IOException {
    checkpoint("rid etag").write(new Position(7, 1));
    try (var files = Files.list(directory.resolve("state"))) {
      Files.writeString(files.findFirst().orElseThrow(), "{\"line\":");
    }
    assertThat(checkpoint("rid etag").read()).isEmpty();
  }

  private Checkpoint checkpoint(String container) throws IOException {
    return Checkpoint.of(directory.resolve("state"), file, "http://127.0.0.1:1/", container);
  }
}
