package dev.partita.http.protocol;

import java.util.Base64;

/** What databases, containers and items may be called. */
public final class ResourceNames {
  private static final int NAME_LENGTH_MAX = 255;
  private static final int ITEM_ID_BYTES_MAX = 1_023;

  private ResourceNames() {}

  /**
   * Checks the id of a new database or container.
   *
   * @param kind the word for it in the message
   * @throws Refusal 400
   */
  public static void checkName(String kind, String id) {
    if (id.isEmpty() || id.length() > NAME_LENGTH_MAX) {
      throw Refusal.bad("The id of a " + kind + " has 1 to " + NAME_LENGTH_MAX + " characters, not "
          + id.length() + ".");
    }
    checkCharacters(kind, id, "/\\?#");
    if (looksLikeRid(id)) {
      throw Refusal.bad("The id '" + id + "' of a " + kind
          + " looks like a resource id (base64 of 4 or 8 bytes); clients would confuse the two.");
    }
  }

  /**
   * Checks the id of an item. {@code ?} is let through, since the JavaScript SDK sends such ids.
   *
   * @throws Refusal 400
   */
  public static void checkItemId(String id) {
    int bytes = Utf8.length(id);
    if (bytes == 0 || bytes > ITEM_ID_BYTES_MAX) {
      throw Refusal.bad("The id of an item has 1 to " + ITEM_ID_BYTES_MAX + " bytes of UTF-8, not "
          + bytes + ".");
    }
    checkCharacters("item", id, "/\\#");
  }

  private static void checkCharacters(String kind, String id, String forbidden) {
    for (int i = 0; i < id.length(); i++) {
      if (forbidden.indexOf(id.charAt(i)) >= 0) {
        throw Refusal.bad("The id of a " + kind + " must not hold '" + id.charAt(i) + "'.");
      }
    }
    if (id.charAt(id.length() - 1) == ' ') {
      throw Refusal.bad("The id of a " + kind + " must not end with a space.");
    }
    if (Utf8.hasLoneSurrogate(id)) {
      throw Refusal.bad("The id of a " + kind + " holds half of a surrogate pair.");
    }
  }

  private static boolean looksLikeRid(String id) {
    int bytes =
        id.length() == 8 && id.endsWith("==") ? 4 : id.length() == 12 && id.endsWith("=") ? 8 : 0;
    if (bytes == 0) {
      return false;
    }
    try {
      return Base64.getDecoder().decode(id.replace('-', '/')).length == bytes;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }
}
