package dev.partita.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
  static Stream<Arguments> targets() {
    return Stream.of(
        Arguments.of("/", List.of()),
        Arguments.of("", List.of()),
        Arguments.of("/dbs", List.of("dbs")),
        Arguments.of("/dbs/", List.of("dbs")),
        Arguments.of("/dbs?x=/y", List.of("dbs")),
        Arguments.of("http://host:1/dbs/d", List.of("dbs", "d")),
        Arguments.of("http://host:1", List.of()),
        Arguments.of("//addresses/?$a=b", List.of("", "addresses")),
        Arguments.of("/dbs//colls", List.of("dbs", "", "colls")),
        Arguments.of("/a+b/c%2Bd", List.of("a+b", "c+d")),
        Arguments.of("/we%20ird+id%25&'%C3%A9%F0%9F%98%80", List.of("we ird+id%&'é😀")),
        Arguments.of("/a%2fb/c", List.of("a/b", "c")),
        Arguments.of("/%41", List.of("A")));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void splitsAndDecodes(String target, List<String> segments) {
    RequestPath path = RequestPath.parse(target);
    assertThat(path.segments()).isEqualTo(segments);
    assertThat(path.decoded()).isEqualTo(String.join("/", segments));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%",
        "/%4",
        "/%zz",
        "/a%2",
        "/%C3",
        "/%ED%A0%80",
        "/%C0%AF",
        "/%FF",
        "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q"
      })
  void refusesWhatIsNoPath(String target) {
    assertThatThrownBy(() -> RequestPath.parse(target)).isInstanceOf(Refusal.class);
  }

  @Test
  void encodesNamesForHeaders() {
    assertThat(RequestPath.encode("a b/é%😀-_.~")).isEqualTo("a%20b%2F%C3%A9%25%F0%9F%98%80-_.~");
  }
}
