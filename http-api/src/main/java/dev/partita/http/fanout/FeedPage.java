package dev.partita.http.fanout;

import dev.partita.http.protocol.ContinuationToken;
import dev.partita.runtime.api.PageAnswer;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How reading one page of a feed ended. */
public sealed interface FeedPage {
  /**
   * A page, perhaps empty.
   *
   * @param next null after the last item of the feed
   * @param served by the last physical partition that was asked; null when the feed has none
   * @param charge of all of them
   */
  record Items(
      List<Bytes> documents,
      @Nullable ContinuationToken next,
      @Nullable Served served,
      double charge)
      implements FeedPage {}

  /** Nothing could be read; {@code answer} is no {@link PageAnswer.Page}. */
  record Failed(PageAnswer answer) implements FeedPage {}
}
