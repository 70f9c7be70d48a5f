package dev.partita.runtime.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.runtime.model.SessionToken.Parsed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {
  private static SessionToken parsed(String text) {
    return ((Parsed.Token) SessionToken.parse(text)).token();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0:-1#12                         | 0:-1#12",
        "0:5#12#1=3#2=4                  | 0:-1#12",
        "2:-1#7,0:-1#12, 1:0#0           | 0:-1#12,1:-1#0,2:-1#7",
        "0:-1#12,0:-1#15,0:-1#3          | 0:-1#15",
        "0:-1#9223372036854775807        | 0:-1#9223372036854775807",
        "99999999999:-1#5,1:-1#2         | 1:-1#2",
        "0:-1#12,                        | 0:-1#12",
        "''                              | ''",
      })
  void aListOfPairsIsRead(String text, String token) {
    assertThat(parsed(text)).hasToString(token);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "0",
        "0:",
        "0:1",
        "0:-1",
        "0:#1",
        "0:-#1",
        "0:-1#",
        "0:-1#x",
        "0:-1#-5",
        ":-1#5",
        "a:-1#5",
        "-1:-1#5",
        "0:-1#5#",
        "0:-1#5#1",
        "0:-1#5#1=",
        "0:-1#5#=3",
        "0:-1#5#1=2#",
        "0:-1#9223372036854775808",
        "0:-1#1 2",
        "0:--1#1",
        "0:-1#\uFF11",
        "0:-1#1;1:-1#2",
        "0#1:2"
      })
  void anythingElseIsAnsweredWithASentence(String text) {
    assertThat(SessionToken.parse(text))
        .isEqualTo(
            new Parsed.Malformed(
                "A session token has the form range:version#lsn, such as 0:-1#12, in decimal numbers."));
  }

  @Test
  void aRangeHasSeenWhatItsAncestorsHaveSeen() {
    var token = parsed("1:-1#40,3:-1#35,9:-1#99");
    assertThat(token.seenOf(1, List.of())).isEqualTo(new Lsn(40));
    assertThat(token.seenOf(3, List.of(1))).isEqualTo(new Lsn(40));
    assertThat(token.seenOf(4, List.of(1, 2))).isEqualTo(new Lsn(40));
    assertThat(token.seenOf(5, List.of(2))).isEqualTo(Lsn.ZERO);
  }

  @Test
  void oneRangeIsWrittenAsClientsReadIt() {
    assertThat(SessionToken.format(0, new Lsn(12))).isEqualTo("0:-1#12");
  }
}
