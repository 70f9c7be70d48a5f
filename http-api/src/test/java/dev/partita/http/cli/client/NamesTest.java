package dev.partita.http.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void segmentsArePercentEncodedUtf8() {
    assertThat(Names.encode("a b%c/ü\uD83D\uDE00-._~"))
        .isEqualTo("a%20b%25c%2F%C3%BC%F0%9F%98%80-._~");
  }

  @Test
  void aNameIsSignedPlainAndSentEncoded() {
    var name = ResourceName.database("my db").container("ü").child("docs");
    assertThat(name.link()).isEqualTo("dbs/my db/colls/ü/docs");
    assertThat(name.path()).isEqualTo("/dbs/my%20db/colls/%C3%BC/docs");
  }

  @Test
  void headersCarryAsciiOnly() {
    assertThat(Names.asciiJson("[\"ü\uD83D\uDE00 a\"]")).isEqualTo("[\"\\u00fc\\ud83d\\ude00 a\"]");
  }
}
