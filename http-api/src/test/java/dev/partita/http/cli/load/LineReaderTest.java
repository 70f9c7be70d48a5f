package dev.partita.http.cli.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  @Test
  void linesAreNumberedFromOne() throws IOException {
    assertThat(lines("a\nb\n\nc".getBytes(UTF_8))).containsExactly("1 a", "2 b", "3 ", "4 c");
    assertThat(lines("a\n".getBytes(UTF_8))).containsExactly("1 a");
    assertThat(lines(new byte[0])).isEmpty();
  }

  @Test
  void gzipIsSeenByItsContent() throws IOException {
    assertThat(lines(gzip("ü\nb\n"))).containsExactly("1 ü", "2 b");
    assertThat(lines(concat(gzip("a\n"), gzip("b\n"))))
        .as("files put together")
        .containsExactly("1 a", "2 b");
  }

  @Test
  void aByteOrderMarkIsNoText() throws IOException {
    assertThat(lines("\uFEFFa\nb".getBytes(UTF_8))).containsExactly("1 a", "2 b");
  }

  @Test
  void aLineTooLongIsReadOverAndNotKept() throws IOException {
    var text = "a\n" + "x".repeat(LineReader.LINE_BYTES_MAX + 1) + "\n"
        + "y".repeat(LineReader.LINE_BYTES_MAX) + "\nb";
    try (var reader = LineReader.open(new ByteArrayInputStream(text.getBytes(UTF_8)))) {
      assertThat(reader.next().bytes()).hasSize(1);
      assertThat(reader.next().bytes()).isNull();
      assertThat(reader.next().bytes()).hasSize(LineReader.LINE_BYTES_MAX);
      assertThat(reader.next().number()).isEqualTo(4);
      assertThat(reader.bytesRead()).isEqualTo(text.length());
    }
  }

  private static List<String> lines(byte[] data) throws IOException {
    var lines = new ArrayList<String>();
    try (var reader = LineReader.open(new ByteArrayInputStream(data))) {
      for (var line = reader.next(); line != null; line = reader.next()) {
        lines.add(line.number() + " " + new String(line.bytes(), UTF_8));
      }
    }
    return lines;
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] concat(byte[] a, byte[] b) throws IOException {
    var all = new ByteArrayOutputStream();
    all.write(a);
    all.write(b);
    return all.toByteArray();
  }
}
