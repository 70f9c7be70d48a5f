package dev.partita.runtime.item;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.store.ItemKey;
import dev.partita.runtime.store.ReplicaStore.Scan.Found;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Items of a snapshot on their way to another replica, in protobuf wire format: repeated field 1, a message of 1
 * effective partition key, 2 partition key, 3 id, 4 value.
 */
public final class SnapshotChunk {
  private static final int ITEM = 1;
  private static final int EPK = 1;
  private static final int KEY = 2;
  private static final int ID = 3;
  private static final int VALUE = 4;

  private SnapshotChunk() {}

  public static Bytes encode(List<Found> items) {
    var buffer = new ByteArrayOutputStream(4096);
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    try {
      for (Found item : items) {
        ItemKey key = item.key();
        out.writeTag(ITEM, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(size(EPK, key.effectivePartitionKey())
            + size(KEY, key.partitionKey())
            + size(ID, key.id())
            + size(VALUE, item.value()));
        write(out, EPK, key.effectivePartitionKey());
        write(out, KEY, key.partitionKey());
        write(out, ID, key.id());
        write(out, VALUE, item.value());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.wrap(buffer.toByteArray());
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if these are other bytes
   */
  public static List<Found> decode(Bytes chunk) {
    CodedInputStream in =
        CodedInputStream.newInstance(chunk.array(), chunk.offset(), chunk.length());
    List<Found> items = new ArrayList<>();
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (WireFormat.getTagFieldNumber(tag) == ITEM) {
          int limit = in.pushLimit(in.readRawVarint32());
          items.add(item(in));
          in.popLimit(limit);
        } else {
          in.skipField(tag); // written by a later version
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("a damaged chunk of a snapshot", e);
    }
    return items;
  }

  private static Found item(CodedInputStream in) throws IOException {
    Bytes epk = Bytes.EMPTY;
    Bytes key = Bytes.EMPTY;
    Bytes id = Bytes.EMPTY;
    Bytes value = Bytes.EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case EPK -> epk = Bytes.wrap(in.readByteArray());
        case KEY -> key = Bytes.wrap(in.readByteArray());
        case ID -> id = Bytes.wrap(in.readByteArray());
        case VALUE -> value = Bytes.wrap(in.readByteArray());
        default -> in.skipField(tag); // written by a later version
      }
    }
    return new Found(new ItemKey(epk, key, id), value);
  }

  private static int size(int field, Bytes bytes) {
    return CodedOutputStream.computeTagSize(field)
        + CodedOutputStream.computeUInt32SizeNoTag(bytes.length())
        + bytes.length();
  }

  private static void write(CodedOutputStream out, int field, Bytes bytes) throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(bytes.length());
    out.write(bytes.array(), bytes.offset(), bytes.length());
  }
}
