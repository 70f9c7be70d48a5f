package dev.partita.http.fanout;

import dev.partita.http.protocol.ContinuationToken;
import dev.partita.runtime.api.Container;
import dev.partita.runtime.api.PageRead.Scope;
import dev.partita.runtime.partitioning.EffectivePartitionKey;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKeyRange;
import java.util.List;

/** What a client reads: some of a container's items, in the order of the keyspace, cut along its ranges. */
public final class Feed {
  private final Container container;
  private final List<Piece> pieces;

  private Feed(Container container, List<Piece> pieces) {
    this.container = container;
    this.pieces = pieces;
  }

  /** One logical partition. */
  public static Feed of(Container container, PartitionKey key) {
    EffectivePartitionKey position = EffectivePartitionKey.of(container.partitionKey(), key);
    return new Feed(
        container,
        List.of(new Piece(
            new Scope.LogicalPartition(key),
            position.hex(),
            position.prefixEnd().hex())));
  }

  /** The keyspace from {@code minInclusive} to {@code maxExclusive}. */
  public static Feed of(
      Container container, EffectivePartitionKey minInclusive, EffectivePartitionKey maxExclusive) {
    List<Piece> pieces = container.routingMap().overlapping(minInclusive, maxExclusive).stream()
        .map(range -> piece(range, minInclusive.hex(), maxExclusive.hex()))
        .toList();
    return new Feed(container, pieces);
  }

  private static Piece piece(PartitionKeyRange range, String minInclusive, String maxExclusive) {
    String min = max(range.minInclusive(), minInclusive);
    String max =
        range.maxExclusive().compareTo(maxExclusive) < 0 ? range.maxExclusive() : maxExclusive;
    return new Piece(new Scope.KeyspaceRange(min, max), min, max);
  }

  /** Whether a page of this feed could have ended there; within one logical partition every item has its key. */
  public boolean mayGoOn(ContinuationToken from) {
    return !(pieces.size() == 1
            && pieces.get(0).scope() instanceof Scope.LogicalPartition logical
            && from instanceof ContinuationToken.After after)
        || after.position().partitionKey().equals(logical.key().canonicalBytes());
  }

  /** What of this feed is left from a place in the keyspace on. */
  Feed from(String effectivePartitionKey) {
    List<Piece> rest = pieces.stream()
        .filter(piece -> piece.maxExclusive().compareTo(effectivePartitionKey) > 0)
        .toList();
    return new Feed(container, rest);
  }

  Container container() {
    return container;
  }

  List<Piece> pieces() {
    return pieces;
  }

  private static String max(String a, String b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
