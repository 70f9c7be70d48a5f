package dev.partita.runtime.charge;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What a request costs, in request units. With {@code KB(size)} = size / 1,024 bytes, but at least 1, and the
 * names of {@link ChargeSettings}:
 *
 * <table>
 * <caption>Formulas</caption>
 * <tr><th>request</th><th>charge</th><th>with the defaults, for 1 KB and 100 KB</th></tr>
 * <tr><td>point read</td><td>pointRead x sqrt(KB(item))</td><td>1, 10</td></tr>
 * <tr><td>create</td><td>create x sqrt(KB(item after))</td><td>5, 50</td></tr>
 * <tr><td>replace</td><td>replaceFactor x create of the larger of old and new item</td><td>10, 100</td></tr>
 * <tr><td>delete</td><td>deleteFactor x create of the old item</td><td>7.5, 75</td></tr>
 * <tr><td>upsert</td><td>as the create or replace that it becomes</td><td></td></tr>
 * <tr><td>page, per physical partition</td><td>pageFloor + pagePerKilobyte x bytes / 1,024</td>
 *     <td>3.5, 102.5</td></tr>
 * <tr><td>refused write, absent item, not modified</td><td>point read of the item looked at</td>
 *     <td>1, 10</td></tr>
 * </table>
 *
 * A read at strong or bounded staleness asks two replicas and costs {@code quorumReadFactor} times as much;
 * writes cost the same at all levels. The root law is what the service publishes for point operations: a
 * hundred times the size costs ten times the charge ("key-value-store-cost" of its documentation, indexing
 * off). Sizes are those of whole stored items as UTF-8 JSON. The same request on the same data always costs
 * the same.
 */
public final class ChargeModel {
  /** With the default settings. */
  public static final ChargeModel DEFAULT = new ChargeModel(ChargeSettings.DEFAULT);

  private static final double BYTES_PER_KILOBYTE = 1024;

  private final ChargeSettings settings;

  public ChargeModel(ChargeSettings settings) {
    this.settings = settings;
  }

  /**
   * A point read that found an item.
   *
   * @param quorum whether it asked a read quorum: strong or bounded staleness
   */
  public double pointRead(int itemBytes, boolean quorum) {
    return rounded(readFactor(quorum) * settings.pointRead() * rootOfKilobytes(itemBytes));
  }

  /** A read of an item that does not exist, or that the reader holds already: as of the smallest item. */
  public double emptyRead(boolean quorum) {
    return pointRead(0, quorum);
  }

  public double create(int itemBytes) {
    return rounded(created(itemBytes));
  }

  /**
   * A replace, or an upsert of an item that exists.
   *
   * @param oldBytes size of the item before
   * @param newBytes size of the item after
   */
  public double replace(int oldBytes, int newBytes) {
    return rounded(settings.replaceFactor() * created(Math.max(oldBytes, newBytes)));
  }

  public double delete(int oldBytes) {
    return rounded(settings.deleteFactor() * created(oldBytes));
  }

  /**
   * A write whose condition does not hold: it cost looking.
   *
   * @param itemBytes size of the item that was looked at, 0 when there is none
   */
  public double refusedWrite(int itemBytes) {
    return rounded(settings.pointRead() * rootOfKilobytes(itemBytes));
  }

  /**
   * One page out of one physical partition.
   *
   * @param bytes of all items read for it, 0 or more
   */
  public double page(long bytes, boolean quorum) {
    return rounded(readFactor(quorum)
        * (settings.pageFloor() + settings.pagePerKilobyte() * (bytes / BYTES_PER_KILOBYTE)));
  }

  private double created(int itemBytes) {
    return settings.create() * rootOfKilobytes(itemBytes);
  }

  private double readFactor(boolean quorum) {
    return quorum ? settings.quorumReadFactor() : 1;
  }

  private static double rootOfKilobytes(int bytes) {
    return Math.sqrt(Math.max(1, bytes / BYTES_PER_KILOBYTE));
  }

  /** To two decimals, half up: what is charged is exactly what is shown. */
  private static double rounded(double charge) {
    return Math.round(charge * 100) / 100.0;
  }

  /** A charge, or a sum of charges, as answers show it: at most two decimals, none that says nothing. */
  public static String text(double charge) {
    BigDecimal shown = BigDecimal.valueOf(charge).setScale(2, RoundingMode.HALF_UP);
    return shown.signum() == 0 ? "0" : shown.stripTrailingZeros().toPlainString();
  }
}
