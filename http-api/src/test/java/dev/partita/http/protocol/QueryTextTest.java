package dev.partita.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM c",
        "select * from c",
        "SELECT * from c",
        " SELECT\t*\nFROM  c ; ",
        "SELECT * FROM root r",
        "SELECT * FROM root AS r;",
        "SELECT*FROM c",
        "select * from items_1"
      })
  void takesAllItems(String text) {
    assertThat(QueryText.isSelectAll(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM c WHERE c.x = 1",
        "SELECT * FROM c ORDER BY c.x",
        "SELECT * FROM c where",
        "SELECT * FROM c ORDER",
        "SELECT TOP 1 * FROM c",
        "SELECT VALUE c FROM c",
        "SELECT c.x FROM c",
        "SELECT * FROM c.items",
        "SELECT * FROM c IN c.items",
        "SELECT * FROM c; SELECT * FROM c",
        "SELECT * FROM c a b",
        "SELECT * FROM c AS",
        "SELECT * FROM",
        "SELECT * FROM 1c",
        "SELECT *",
        "FROM c",
        "x"
      })
  void takesNothingElse(String text) {
    assertThat(QueryText.isSelectAll(text)).isFalse();
  }
}
