package dev.partita.http.cli.client;

/**
 * The full name of a resource, as it is signed and as it is sent.
 *
 * @param link for example {@code dbs/my db}
 * @param path for example {@code /dbs/my%20db}
 */
public record ResourceName(String link, String path) {
  /** The account itself, owner of the databases. */
  public static final ResourceName ACCOUNT = new ResourceName("", "");

  /** A database of the account. */
  public static ResourceName database(String name) {
    return ACCOUNT.child("dbs").child(name);
  }

  /** A container of this database. */
  public ResourceName container(String name) {
    return child("colls").child(name);
  }

  /** One segment further down: a feed's type or a resource's name. */
  public ResourceName child(String segment) {
    return new ResourceName(
        link.isEmpty() ? segment : link + "/" + segment, path + "/" + Names.encode(segment));
  }
}
