package dev.partita.runtime.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.replication.Base;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What a replica's store knows of itself; written in the same batch as the data it describes, so that the
 * two never disagree. In protobuf wire format; unknown fields are skipped.
 *
 * @param slot where the replica's items are; another one after a snapshot was installed
 * @param mark how far the store goes: the last applied entry and what was in force there
 * @param items how many items the replica holds
 * @param bytes their documents' sizes together
 * @param ridCounter highest counter used in the RID of an item
 */
public record ReplicaRecord(long slot, Base mark, long items, long bytes, long ridCounter) {
  private static final int MARK = 1;
  private static final int ITEMS = 2;
  private static final int BYTES = 3;
  private static final int RID_COUNTER = 4;
  private static final int SLOT = 5;

  /** The record of a replica that has applied nothing since {@code mark}, where it was born. */
  public static ReplicaRecord initial(long slot, Base mark) {
    return new ReplicaRecord(slot, mark, 0, 0, 0);
  }

  /** Last LSN whose effect is in the store. */
  public Lsn applied() {
    return mark.lsn();
  }

  public byte[] encode() {
    var buffer = new ByteArrayOutputStream(256);
    CodedOutputStream out = CodedOutputStream.newInstance(buffer, 256);
    try {
      out.writeByteArray(MARK, BaseCodec.encode(mark));
      out.writeUInt64(ITEMS, items);
      out.writeUInt64(BYTES, bytes);
      out.writeUInt64(RID_COUNTER, ridCounter);
      out.writeUInt64(SLOT, slot);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return buffer.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws UncheckedIOException when the bytes are no record
   */
  public static ReplicaRecord decode(Bytes encoded) {
    CodedInputStream in =
        CodedInputStream.newInstance(encoded.array(), encoded.offset(), encoded.length());
    long slot = 0;
    @Nullable Base mark = null;
    long items = 0;
    long bytes = 0;
    long ridCounter = 0;
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case MARK -> mark = BaseCodec.decode(in.readByteArray());
          case ITEMS -> items = in.readUInt64();
          case BYTES -> bytes = in.readUInt64();
          case RID_COUNTER -> ridCounter = in.readUInt64();
          case SLOT -> slot = in.readUInt64();
          default -> in.skipField(tag); // written by a later version
        }
      }
      if (mark == null) {
        throw new IOException("no mark");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a replica record in the store is damaged", e);
    }
    return new ReplicaRecord(slot, mark, items, bytes, ridCounter);
  }
}
