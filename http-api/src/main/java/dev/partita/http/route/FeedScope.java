package dev.partita.http.route;

import dev.partita.http.fanout.Feed;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestHeaders;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which part of a container a feed or query is about, by its headers. */
final class FeedScope {
  private FeedScope() {}

  /**
   * The part: one logical partition, or those under a key prefix, or a range by id, or the whole container; the last
   * two cut to {@code [x-ms-start-epk, x-ms-end-epk)}.
   *
   * @throws Refusal 400, or 410 for a range that never was
   */
  static Feed of(RequestHeaders headers, Container container) {
    if (headers.partitionKey != null) {
      return ofKey(headers.partitionKey, container);
    }
    EffectivePartitionKey min = EffectivePartitionKey.MIN;
    EffectivePartitionKey max = EffectivePartitionKey.MAX;
    if (headers.partitionKeyRangeId != null) {
      List<PartitionKeyRange> ranges = ranges(headers.partitionKeyRangeId, container);
      min = boundary(ranges.get(0).minInclusive());
      max = boundary(ranges.get(ranges.size() - 1).maxExclusive());
    }
    EffectivePartitionKey start = boundary("x-ms-start-epk", headers.startEpk, min);
    EffectivePartitionKey end = boundary("x-ms-end-epk", headers.endEpk, max);
    if (start.compareTo(end) >= 0) {
      throw Refusal.bad("x-ms-start-epk must be less than x-ms-end-epk.");
    }
    return Feed.of(
        container, start.compareTo(min) > 0 ? start : min, end.compareTo(max) < 0 ? end : max);
  }

  private static Feed ofKey(String text, Container container) {
    PartitionKey.Parsed parsed = PartitionKey.parse(text, container.partitionKey());
    if (parsed instanceof PartitionKey.Parsed.Full full) {
      return Feed.of(container, full.key());
    } else if (parsed instanceof PartitionKey.Parsed.Prefix prefix) {
      if (prefix.key().components().isEmpty()) {
        return Feed.of(container, EffectivePartitionKey.MIN, EffectivePartitionKey.MAX);
      }
      EffectivePartitionKey min = EffectivePartitionKey.of(container.partitionKey(), prefix.key());
      return Feed.of(container, min, min.prefixEnd());
    }
    throw Refusal.bad(((PartitionKey.Parsed.Malformed) parsed).reason());
  }

  /**
   * The range of that id; or of one that has split, the ranges it became, so that a client which still names it (the
   * JavaScript SDK never looks again) goes on as if it were there.
   */
  private static List<PartitionKeyRange> ranges(String text, Container container) {
    int id = rangeId(text);
    List<PartitionKeyRange> ranges = container.routingMap().ranges().stream()
        .filter(range -> range.id() == id || range.parents().contains(id))
        .toList();
    if (ranges.isEmpty()) {
      throw new Refusal(
          ErrorCode.RANGE_GONE,
          "The container has no partition key range '" + text + "': read its pkranges again.");
    }
    return ranges;
  }

  /** The id stands alone or behind the container's RID and a comma. */
  private static int rangeId(String text) {
    try {
      return Integer.parseInt(text.substring(text.lastIndexOf(',') + 1).strip());
    } catch (NumberFormatException notANumber) {
      throw Refusal.bad("'" + text + "' is no id of a partition key range, which is a number.");
    }
  }

  private static EffectivePartitionKey boundary(
      String header, @Nullable String text, EffectivePartitionKey absent) {
    return text == null
        ? absent
        : EffectivePartitionKey.parse(text)
            .orElseThrow(() -> Refusal.bad(
                header + " is an effective partition key in hexadecimal, not '" + text + "'."));
  }

  private static EffectivePartitionKey boundary(String hex) {
    return EffectivePartitionKey.parse(hex).orElseThrow();
  }
}
