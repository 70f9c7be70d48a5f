package dev.partita.runtime.item;

import dev.partita.runtime.model.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One logical partition as the item store has it: what is committed and applied. It may be ahead of what
 * {@link LogicalItems#appliedThrough} was told, never behind.
 */
public interface CommittedItems {
  /**
   * The item of that id, or null.
   *
   * @param id UTF-8
   */
  @Nullable
  StoredItem item(Bytes id);

  /** What the partition holds; {@link LogicalSize#EMPTY} when it holds nothing. */
  LogicalSize size();
}
