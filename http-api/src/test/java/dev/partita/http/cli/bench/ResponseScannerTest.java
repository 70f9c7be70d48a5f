package dev.partita.http.cli.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ResponseScannerTest {
  private static final String CREATED =
      "HTTP/1.1 201 Created\r\netag: \"1\"\r\nContent-Length: 12\r\n\r\nhello world!";

  private final ResponseScanner scanner = new ResponseScanner();

  @Test
  void anAnswerMayArriveInAnyPieces() throws ProtocolException {
    for (int cut = 1; cut < CREATED.length(); cut++) {
      scanner.reset();
      assertThat(scan(CREATED.substring(0, cut))).as("after %s bytes", cut).isFalse();
      assertThat(scan(CREATED.substring(cut))).isTrue();
      assertThat(scanner.status()).isEqualTo(201);
    }
  }

  @Test
  void anAnswerWithoutABodyEndsWithItsHead() throws ProtocolException {
    assertThat(scan("HTTP/1.1 204 No Content\r\n\r\n")).isTrue();
    assertThat(scanner.status()).isEqualTo(204);
  }

  @Test
  void whatItDoesNotKnowIsAnError() {
    assertThatThrownBy(() -> scan("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
        .hasMessageContaining("chunks");
    scanner.reset();
    assertThatThrownBy(() -> scan(CREATED + "H")).hasMessageContaining("more than an answer");
    scanner.reset();
    assertThatThrownBy(() -> scan("220 smtp ready for you\r\n\r\n"))
        .hasMessageContaining("not an HTTP server");
  }

  private boolean scan(String text) throws ProtocolException {
    return scanner.scan(ByteBuffer.wrap(text.getBytes(US_ASCII)));
  }
}
