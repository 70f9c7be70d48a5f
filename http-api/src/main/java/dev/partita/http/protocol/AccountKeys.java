package dev.partita.http.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The account's keys, each the base64 text that clients are given.
 *
 * @param primary signs everything
 * @param secondary signs everything too, so that keys can be changed one after the other
 * @param readOnly sign what writes nothing
 */
public record AccountKeys(String primary, Optional<String> secondary, List<String> readOnly) {
  /** The key that every emulator of the dialect shares. It is public: whoever reaches the port has it. */
  public static final String EMULATOR =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  public AccountKeys {
    readOnly = List.copyOf(readOnly);
    Stream.concat(Stream.concat(Stream.of(primary), secondary.stream()), readOnly.stream())
        .forEach(AccountKeys::decode);
  }

  /** An account with one key. */
  public static AccountKeys of(String primary) {
    return new AccountKeys(primary, Optional.empty(), List.of());
  }

  static byte[] decode(String key) {
    try {
      byte[] bytes = Base64.getDecoder().decode(key);
      if (bytes.length > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException notBase64) {
      // Falls through: the message must not repeat the key.
    }
    throw new IllegalArgumentException("an account key is base64 text of at least one byte");
  }

  /** Whether the public emulator key is among them. */
  public boolean includesEmulatorKey() {
    return primary.equals(EMULATOR)
        || secondary.filter(EMULATOR::equals).isPresent()
        || readOnly.contains(EMULATOR);
  }

  /** Whether the text is one of the keys; takes the same time wherever they differ. */
  boolean contains(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean found = equal(bytes, primary);
    found |= secondary.isPresent() && equal(bytes, secondary.get());
    for (String key : readOnly) {
      found |= equal(bytes, key);
    }
    return found;
  }

  private static boolean equal(byte[] bytes, String key) {
    return MessageDigest.isEqual(bytes, key.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "account keys"; // never in a log
  }
}
