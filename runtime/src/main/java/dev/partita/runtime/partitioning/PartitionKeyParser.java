package dev.partita.runtime.partitioning;

import dev.partita.runtime.partitioning.PartitionKey.Component;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one JSON array of scalars. Every request carries such a text, a few characters long: a general
 * parser would cost more than the hash.
 */
final class PartitionKeyParser {
  private static final int END = -1;

  private final String json;
  private int at;

  PartitionKeyParser(String json) {
    this.json = json;
  }

  /** What is wrong with the text. */
  static final class SyntaxException extends Exception {
    private final String sentence;

    SyntaxException(String sentence) {
      super(sentence, null, false, false);
      this.sentence = sentence;
    }

    String sentence() {
      return sentence;
    }
  }

  List<Component> components() throws SyntaxException {
    skipBlanks();
    if (peek() != '[') {
      throw new SyntaxException("A partition key is a JSON array such as [\"a\"].");
    }
    at++;
    List<Component> components = new ArrayList<>(3);
    skipBlanks();
    if (peek() == ']') {
      at++;
    } else {
      do {
        skipBlanks();
        components.add(component());
        skipBlanks();
      } while (another());
    }
    skipBlanks();
    if (at < json.length()) {
      throw wrong("is followed by more text");
    }
    return components;
  }

  private boolean another() throws SyntaxException {
    int next = peek();
    at++;
    return switch (next) {
      case ',' -> true;
      case ']' -> false;
      default -> {
        at--;
        throw wrong("lacks a comma or a closing bracket");
      }
    };
  }

  private Component component() throws SyntaxException {
    return switch (peek()) {
      case '"' -> new Component.Text(text());
      case '{' -> undefined('}');
      case '[' -> undefined(']');
      case 'n' -> literal("null", new Component.Null());
      case 't' -> literal("true", new Component.Bool(true));
      case 'f' -> literal("false", new Component.Bool(false));
      default -> new Component.Num(number());
    };
  }

  /** {@code {}} and {@code []} are how a value that is not there is written. */
  private Component undefined(char closing) throws SyntaxException {
    at++;
    skipBlanks();
    if (peek() != closing) {
      throw wrong("has an object or array that is not empty");
    }
    at++;
    return new Component.Undefined();
  }

  private Component literal(String word, Component value) throws SyntaxException {
    if (!json.startsWith(word, at)) {
      throw wrong("has a value that is not JSON");
    }
    at += word.length();
    return value;
  }

  private double number() throws SyntaxException {
    int from = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (peek() == '.') {
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    double value = Double.parseDouble(json.substring(from, at));
    if (Double.isInfinite(value)) {
      throw wrong("has a number beyond the range of a double");
    }
    return value;
  }

  private void digits() throws SyntaxException {
    int from = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == from) {
      throw wrong("has a value that is not JSON");
    }
  }

  private String text() throws SyntaxException {
    int from = ++at;
    while (true) {
      int c = peek();
      if (c == '"') {
        return json.substring(from, at++);
      } else if (c == '\\') {
        return textWithEscapes(from);
      }
      plain(c);
    }
  }

  private String textWithEscapes(int from) throws SyntaxException {
    var text = new StringBuilder(json.length() - from).append(json, from, at);
    while (true) {
      int c = peek();
      if (c == '"') {
        at++;
        return text.toString();
      } else if (c == '\\') {
        text.append(escaped());
      } else {
        text.append(plain(c));
      }
    }
  }

  private char plain(int c) throws SyntaxException {
    if (c == END) {
      throw wrong("has a string without its closing quote");
    } else if (c < ' ') {
      throw wrong("has a control character in a string");
    }
    at++;
    return (char) c;
  }

  private char escaped() throws SyntaxException {
    at++;
    int c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> (char) c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unit();
      default -> throw wrong("has an unknown escape in a string");
    };
  }

  /** One UTF-16 unit: half of a pair may come alone, and stays so. */
  private char unit() throws SyntaxException {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int c = peek();
      // Character.digit would take digits of any script.
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw wrong("has an escape without four hexadecimal digits");
      }
      value = value << 4 | digit;
      at++;
    }
    return (char) value;
  }

  private int peek() {
    return at < json.length() ? json.charAt(at) : END;
  }

  private void skipBlanks() {
    int c = peek();
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      at++;
      c = peek();
    }
  }

  private SyntaxException wrong(String what) {
    return new SyntaxException("A partition key's array " + what + " at character "
        + (Math.min(at, json.length()) + 1) + ".");
  }
}
