package dev.partita.http.route;

import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Refusal;
import dev.partita.http.protocol.RequestHeaders;
import dev.partita.http.protocol.ScannedDocument;
import dev.partita.runtime.partitioning.PartitionKey;
import dev.partita.runtime.partitioning.PartitionKey.Component;
import dev.partita.runtime.partitioning.PartitionKeyDefinition;
import dev.partita.runtime.partitioning.PartitionKeyDefinition.Kind;
import java.util.List;

/** Which logical partition a request is about: by its header, by its item, or by both, which must agree. */
final class ItemKeys {
  private ItemKeys() {}

  /** The key of a request without an item. */
  static PartitionKey ofHeader(RequestHeaders headers, PartitionKeyDefinition definition) {
    String text = headers.partitionKey;
    if (text == null) {
      throw Refusal.bad(
          "The header x-ms-documentdb-partitionkey is missing: reading, deleting or replacing an item"
              + " needs its partition key, such as [\"a\"].");
    }
    PartitionKey.Parsed parsed = PartitionKey.parse(text, definition);
    if (parsed instanceof PartitionKey.Parsed.Full full) {
      return checked(full.key(), definition);
    } else if (parsed instanceof PartitionKey.Parsed.Malformed malformed) {
      throw Refusal.bad(malformed.reason());
    }
    throw Refusal.bad("An item needs its whole partition key, a value for each of "
        + definition.paths() + "; the header x-ms-documentdb-partitionkey has fewer.");
  }

  /** The key of a request with an item; the header may be missing then. */
  static PartitionKey ofItem(
      RequestHeaders headers, PartitionKeyDefinition definition, ScannedDocument item) {
    if (headers.partitionKey == null) {
      return checked(item.key(), definition);
    }
    PartitionKey named = ofHeader(headers, definition);
    if (!agree(named, item.key(), definition.kind())) {
      throw new Refusal(
          ErrorCode.PARTITION_KEY_MISMATCH,
          "PartitionKey extracted from document doesn't match the one specified in the header: the item has "
              + item.key().components() + ", the header has " + named.components() + ".");
    }
    return named;
  }

  /** The Java SDK names a level that the item lacks as null, the JavaScript SDK as undefined: we take the header's. */
  private static boolean agree(PartitionKey named, PartitionKey found, Kind kind) {
    if (named.equals(found)) {
      return true;
    }
    if (kind != Kind.MULTI_HASH) {
      return false;
    }
    List<Component> a = named.components();
    List<Component> b = found.components();
    for (int i = 0; i < a.size(); i++) {
      boolean missing =
          a.get(i) instanceof Component.Null && b.get(i) instanceof Component.Undefined;
      if (!missing && !a.get(i).equals(b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static PartitionKey checked(PartitionKey key, PartitionKeyDefinition definition) {
    key.tooLong(definition).ifPresent(reason -> {
      throw Refusal.bad(reason);
    });
    return key;
  }
}
