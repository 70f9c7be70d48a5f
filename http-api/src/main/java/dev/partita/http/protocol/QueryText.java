package dev.partita.http.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recognises the one query there is: every item of the feed, unchanged.
 *
 * <pre>SELECT * FROM name [[AS] alias] [;]</pre>
 */
public final class QueryText {
  /** As for every query of the dialect. */
  private static final int LENGTH_MAX = 512 * 1024;

  private static final Set<String> RESERVED = Set.of(
      "SELECT",
      "FROM",
      "WHERE",
      "ORDER",
      "GROUP",
      "BY",
      "JOIN",
      "IN",
      "OFFSET",
      "LIMIT",
      "TOP",
      "DISTINCT",
      "VALUE",
      "AS",
      "AND",
      "OR",
      "NOT",
      "BETWEEN",
      "LIKE",
      "EXISTS",
      "ARRAY",
      "HAVING");

  private QueryText() {}

  /**
   * Lets {@code SELECT * FROM c} pass.
   *
   * @param body {@code {"query": "...", "parameters": [...]}}
   * @throws Refusal 400 that names what is supported
   */
  public static void check(Bytes body) {
    ObjectNode request = Json.parseObject(body);
    JsonNode query = request.path("query");
    if (!query.isTextual() || query.textValue().isBlank()) {
      throw Refusal.bad(
          "A query is a JSON object with a 'query' text, such as {\"query\":\"SELECT * FROM c\"}.");
    }
    JsonNode parameters = request.path("parameters");
    if (!parameters.isMissingNode() && !parameters.isNull() && !parameters.isArray()) {
      throw Refusal.bad(
          "The 'parameters' of a query are an array of {\"name\":\"@p\",\"value\":...}.");
    }
    String text = query.textValue();
    if (text.length() > LENGTH_MAX) {
      throw Refusal.bad("A query has at most " + LENGTH_MAX + " characters.");
    }
    if (!isSelectAll(text)) {
      throw Refusal.bad(
          "This server runs one query only, SELECT * FROM c (any alias, with or without a partition"
              + " key); filters, projections, ORDER BY, aggregates and JOIN are not supported. The query was: "
              + (text.length() > 200 ? text.substring(0, 200) + "..." : text));
    }
  }

  /** Whether the text selects whole items of the whole feed. */
  static boolean isSelectAll(String text) {
    List<String> words = words(text);
    int size = words.size();
    if (size > 0 && words.get(size - 1).equals(";")) {
      size--;
    }
    if (size < 4
        || size > 6
        || !words.get(0).equalsIgnoreCase("SELECT")
        || !words.get(1).equals("*")
        || !words.get(2).equalsIgnoreCase("FROM")
        || !isName(words.get(3))) {
      return false;
    }
    return switch (size) {
      case 4 -> true;
      case 5 -> isName(words.get(4));
      default -> words.get(4).equalsIgnoreCase("AS") && isName(words.get(5));
    };
  }

  private static List<String> words(String text) {
    var words = new ArrayList<String>();
    int i = 0;
    while (i < text.length() && words.size() < 8) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (isNamePart(c)) {
        int start = i;
        while (i < text.length() && isNamePart(text.charAt(i))) {
          i++;
        }
        words.add(text.substring(start, i));
      } else {
        words.add(text.substring(i, i + 1));
        i++;
      }
    }
    return words;
  }

  private static boolean isName(String word) {
    return isNamePart(word.charAt(0))
        && !Character.isDigit(word.charAt(0))
        && !RESERVED.contains(word.toUpperCase(Locale.ROOT));
  }

  private static boolean isNamePart(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }
}
