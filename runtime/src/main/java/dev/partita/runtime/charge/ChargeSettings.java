package dev.partita.runtime.charge;

/**
 * The numbers of {@link ChargeModel}, each more than 0 (the page's may be 0). Where public sources disagree a
 * number is a choice, and says so.
 *
 * @param pointRead request units to read 1 KB; published: 1
 * @param create request units to create 1 KB with indexing off; published: 5
 * @param replaceFactor a replace, compared with a create; published as twice, while the service's own test
 *     emulator counts 1.5
 * @param deleteFactor a delete, compared with a create of the item; 1.5 in that emulator, published nowhere
 * @param pageFloor request units for visiting a physical partition; published as 2 to 3
 * @param pagePerKilobyte request units for 1 KB of items on a page; published: 1,000 items of 1 KB cost
 *     about 1,000
 * @param quorumReadFactor a read at strong or bounded staleness, compared with one at another level;
 *     published: 2
 */
public record ChargeSettings(
    double pointRead,
    double create,
    double replaceFactor,
    double deleteFactor,
    double pageFloor,
    double pagePerKilobyte,
    double quorumReadFactor) {
  public static final ChargeSettings DEFAULT = new ChargeSettings(1, 5, 2, 1.5, 2.5, 1, 2);

  public ChargeSettings {
    positive("pointRead", pointRead);
    positive("create", create);
    positive("replaceFactor", replaceFactor);
    positive("deleteFactor", deleteFactor);
    positive("quorumReadFactor", quorumReadFactor);
    if (!(pageFloor >= 0 && pagePerKilobyte >= 0)) {
      throw new IllegalArgumentException("a page cannot cost less than nothing");
    }
  }

  private static void positive(String name, double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException(name + " is more than 0, not " + value);
    }
  }
}
