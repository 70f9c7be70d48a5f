package dev.partita.runtime.serialization;

import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Entry;
import dev.partita.runtime.replication.EntryKind;
import dev.partita.runtime.replication.ReplicaEvent;
import dev.partita.runtime.store.BaseCodec;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Journal shapes of {@link ReplicaEvent}, in protobuf wire format with the version in the manifest. Entry
 * bodies pass through as they are.
 *
 * <p>All three shapes share their fields: 1-3 the epoch (counter, attempt high and low), 5 a
 * base, 6 repeated entries. An entry is 1 LSN, 2-4 its epoch, 5 kind, 6 log time, 7 body; LSN and epoch are
 * left out where they follow from the entry before.
 */
public final class ReplicaEventSerializer extends SerializerWithStringManifest {
  private static final String PROMISED = "promised/1";
  private static final String APPENDED = "appended/1";
  private static final String REBASED = "rebased/1";

  private static final int EPOCH_COUNTER = 1;
  private static final int EPOCH_HIGH = 2;
  private static final int EPOCH_LOW = 3;
  private static final int BASE = 5;
  private static final int ENTRY = 6;

  private static final int ENTRY_LSN = 1;
  private static final int ENTRY_COUNTER = 2;
  private static final int ENTRY_HIGH = 3;
  private static final int ENTRY_LOW = 4;
  private static final int ENTRY_KIND = 5;
  private static final int ENTRY_TIME = 6;
  private static final int ENTRY_BODY = 7;

  @Override
  public int identifier() {
    return 1_747_001;
  }

  @Override
  public String manifest(Object event) {
    if (event instanceof ReplicaEvent.Appended) {
      return APPENDED;
    }
    return event instanceof ReplicaEvent.Promised ? PROMISED : REBASED;
  }

  @Override
  public byte[] toBinary(Object event) {
    try {
      if (event instanceof ReplicaEvent.Appended appended) {
        return encode(appended.epoch(), null, appended.entries());
      }
      if (event instanceof ReplicaEvent.Promised promised) {
        return encode(promised.epoch(), null, List.of());
      }
      if (event instanceof ReplicaEvent.Rebased rebased) {
        return encode(rebased.promised(), rebased.base(), rebased.suffix());
      }
      throw new IllegalArgumentException("not a replica event: " + event.getClass());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    try {
      Decoded decoded = decode(bytes);
      switch (manifest) {
        case PROMISED -> {
          return new ReplicaEvent.Promised(decoded.epoch);
        }
        case APPENDED -> {
          return new ReplicaEvent.Appended(
              decoded.epoch, decoded.entries.get(0).lsn(), decoded.entries);
        }
        case REBASED -> {
          if (decoded.base == null) {
            throw new NotSerializableException("a rebased event without a base");
          }
          return new ReplicaEvent.Rebased(decoded.epoch, decoded.base, decoded.entries);
        }
        default ->
          throw new NotSerializableException(
              "the journal holds an event of a later version: " + manifest);
      }
    } catch (NotSerializableException e) {
      throw e;
    } catch (IOException e) {
      NotSerializableException damaged = new NotSerializableException("a damaged event");
      damaged.initCause(e);
      throw damaged;
    }
  }

  private static byte[] encode(Epoch epoch, @Nullable Base base, List<Entry> entries)
      throws IOException {
    byte[] encodedBase = base == null ? new byte[0] : BaseCodec.encode(base);
    int[] sizes = new int[entries.size()];
    int size = epochSize(EPOCH_COUNTER, EPOCH_HIGH, EPOCH_LOW, epoch)
        + (base == null ? 0 : CodedOutputStream.computeByteArraySize(BASE, encodedBase));
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = entrySize(entries.get(i), i == 0 ? null : entries.get(i - 1));
      size += CodedOutputStream.computeTagSize(ENTRY)
          + CodedOutputStream.computeUInt32SizeNoTag(sizes[i])
          + sizes[i];
    }
    byte[] bytes = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writeEpoch(out, EPOCH_COUNTER, EPOCH_HIGH, EPOCH_LOW, epoch);
    if (base != null) {
      out.writeByteArray(BASE, encodedBase);
    }
    for (int i = 0; i < sizes.length; i++) {
      out.writeTag(ENTRY, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(sizes[i]);
      writeEntry(out, entries.get(i), i == 0 ? null : entries.get(i - 1));
    }
    out.checkNoSpaceLeft();
    return bytes;
  }

  private static int entrySize(Entry entry, @Nullable Entry before) {
    Bytes body = entry.body();
    int size = CodedOutputStream.computeUInt32Size(ENTRY_KIND, code(entry.kind()))
        + CodedOutputStream.computeUInt64Size(ENTRY_TIME, entry.logTime())
        + CodedOutputStream.computeTagSize(ENTRY_BODY)
        + CodedOutputStream.computeUInt32SizeNoTag(body.length())
        + body.length();
    if (before == null) {
      size += CodedOutputStream.computeUInt64Size(ENTRY_LSN, entry.lsn().value());
    }
    if (before == null || !before.epoch().equals(entry.epoch())) {
      size += epochSize(ENTRY_COUNTER, ENTRY_HIGH, ENTRY_LOW, entry.epoch());
    }
    return size;
  }

  private static void writeEntry(CodedOutputStream out, Entry entry, @Nullable Entry before)
      throws IOException {
    if (before == null) {
      out.writeUInt64(ENTRY_LSN, entry.lsn().value());
    }
    if (before == null || !before.epoch().equals(entry.epoch())) {
      writeEpoch(out, ENTRY_COUNTER, ENTRY_HIGH, ENTRY_LOW, entry.epoch());
    }
    out.writeUInt32(ENTRY_KIND, code(entry.kind()));
    out.writeUInt64(ENTRY_TIME, entry.logTime());
    Bytes body = entry.body();
    out.writeTag(ENTRY_BODY, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(body.length());
    out.write(body.array(), body.offset(), body.length());
  }

  private static final class Decoded {
    Epoch epoch = Epoch.ZERO;

    @Nullable
    Base base;

    final List<Entry> entries = new ArrayList<>();
  }

  private static Decoded decode(byte[] bytes) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    Decoded decoded = new Decoded();
    long counter = 0;
    long high = 0;
    long low = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case EPOCH_COUNTER -> counter = in.readUInt64();
        case EPOCH_HIGH -> high = in.readFixed64();
        case EPOCH_LOW -> low = in.readFixed64();
        case BASE -> decoded.base = BaseCodec.decode(in.readByteArray());
        case ENTRY -> {
          int limit = in.pushLimit(in.readRawVarint32());
          List<Entry> entries = decoded.entries;
          entries.add(
              readEntry(in, bytes, entries.isEmpty() ? null : entries.get(entries.size() - 1)));
          in.popLimit(limit);
        }
        default -> in.skipField(tag); // written by a later version
      }
    }
    decoded.epoch = new Epoch(counter, new Uid(high, low));
    return decoded;
  }

  private static Entry readEntry(CodedInputStream in, byte[] bytes, @Nullable Entry before)
      throws IOException {
    long lsn = before == null ? 0 : before.lsn().value() + 1;
    boolean ownEpoch = before == null;
    long counter = 0;
    long high = 0;
    long low = 0;
    EntryKind kind = EntryKind.NO_OP;
    long time = 0;
    Bytes body = Bytes.EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case ENTRY_LSN -> lsn = in.readUInt64();
        case ENTRY_COUNTER -> {
          counter = in.readUInt64();
          ownEpoch = true;
        }
        case ENTRY_HIGH -> high = in.readFixed64();
        case ENTRY_LOW -> low = in.readFixed64();
        case ENTRY_KIND -> kind = kind(in.readUInt32());
        case ENTRY_TIME -> time = in.readUInt64();
        case ENTRY_BODY -> {
          int length = in.readRawVarint32();
          body = Bytes.wrap(bytes, in.getTotalBytesRead(), length);
          in.skipRawBytes(length);
        }
        default -> in.skipField(tag); // written by a later version
      }
    }
    Epoch epoch =
        before != null && !ownEpoch ? before.epoch() : new Epoch(counter, new Uid(high, low));
    return new Entry(new Lsn(lsn), epoch, kind, time, body);
  }

  private static int epochSize(int counter, int high, int low, Epoch epoch) {
    return CodedOutputStream.computeUInt64Size(counter, epoch.counter())
        + CodedOutputStream.computeFixed64Size(high, epoch.attempt().high())
        + CodedOutputStream.computeFixed64Size(low, epoch.attempt().low());
  }

  private static void writeEpoch(CodedOutputStream out, int counter, int high, int low, Epoch epoch)
      throws IOException {
    out.writeUInt64(counter, epoch.counter());
    out.writeFixed64(high, epoch.attempt().high());
    out.writeFixed64(low, epoch.attempt().low());
  }

  /** Numbers on disk; never changed. */
  private static int code(EntryKind kind) {
    return switch (kind) {
      case NO_OP -> 1;
      case WRITE -> 2;
      case REFUSAL -> 3;
      case CONFIG -> 4;
      case SPLIT -> 5;
    };
  }

  private static EntryKind kind(int code) throws IOException {
    return switch (code) {
      case 1 -> EntryKind.NO_OP;
      case 2 -> EntryKind.WRITE;
      case 3 -> EntryKind.REFUSAL;
      case 4 -> EntryKind.CONFIG;
      case 5 -> EntryKind.SPLIT;
      default -> throw new IOException("an entry of a later version: kind " + code);
    };
  }
}
