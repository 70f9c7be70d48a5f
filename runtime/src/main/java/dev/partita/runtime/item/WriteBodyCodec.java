package dev.partita.runtime.item;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.RequestId;
import dev.partita.runtime.model.Uid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link WriteBody} in the protobuf wire format. Written by hand so that documents are copied once on the
 * way in and not at all on the way out. The shape, which may gain fields but never lose or change one:
 *
 * <pre>{@code
 * message WriteBody {
 *   fixed64 client_high = 1;  fixed64 client_low = 2;  uint64 sequence = 3;  // the request
 *   uint64 deadline_millis = 4;
 *   uint32 outcome = 5;                       // 1 created, 2 replaced, 3 deleted
 *   string etag = 6;
 *   double charge = 7;
 *   repeated Mutation mutations = 8;
 * }
 * message Mutation {
 *   uint32 kind = 1;                          // 1 put, 2 delete
 *   bytes effective_partition_key = 2;  bytes partition_key = 3;  bytes id = 4;
 *   bytes document = 5;
 *   string etag = 6;
 *   uint64 timestamp_seconds = 7;
 *   uint64 number = 8;
 *   uint64 logical_items = 9;  uint64 logical_bytes = 10;
 *   sint64 items_delta = 11;   sint64 bytes_delta = 12;
 * }
 * }</pre>
 */
final class WriteBodyCodec {
  private static final int CLIENT_HIGH = 1;
  private static final int CLIENT_LOW = 2;
  private static final int SEQUENCE = 3;
  private static final int DEADLINE_MILLIS = 4;
  private static final int OUTCOME = 5;
  private static final int RESULT_ETAG = 6;
  private static final int CHARGE = 7;
  private static final int MUTATIONS = 8;

  private static final int KIND = 1;
  private static final int EFFECTIVE_PARTITION_KEY = 2;
  private static final int PARTITION_KEY = 3;
  private static final int ID = 4;
  private static final int DOCUMENT = 5;
  private static final int ETAG = 6;
  private static final int TIMESTAMP_SECONDS = 7;
  private static final int NUMBER = 8;
  private static final int LOGICAL_ITEMS = 9;
  private static final int LOGICAL_BYTES = 10;
  private static final int ITEMS_DELTA = 11;
  private static final int BYTES_DELTA = 12;

  private WriteBodyCodec() {}

  static Bytes encode(WriteBody body) {
    int length = headerLength(body);
    int[] mutationLengths = new int[body.mutations().size()];
    for (int i = 0; i < mutationLengths.length; i++) {
      mutationLengths[i] = length(body.mutations().get(i));
      length += bytesLength(MUTATIONS, mutationLengths[i]);
    }
    byte[] bytes = new byte[length];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writeHeader(body, out);
      for (int i = 0; i < mutationLengths.length; i++) {
        out.writeTag(MUTATIONS, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(mutationLengths[i]);
        write(body.mutations().get(i), out);
      }
      out.checkNoSpaceLeft();
    } catch (IOException tooLong) {
      throw new IllegalStateException("a write body is not as long as was computed", tooLong);
    }
    return Bytes.wrap(bytes);
  }

  private static int headerLength(WriteBody body) {
    return CodedOutputStream.computeFixed64Size(
            CLIENT_HIGH, body.request().client().high())
        + CodedOutputStream.computeFixed64Size(
            CLIENT_LOW, body.request().client().low())
        + CodedOutputStream.computeUInt64Size(SEQUENCE, body.request().sequence())
        + CodedOutputStream.computeUInt64Size(DEADLINE_MILLIS, body.deadlineMillis())
        + CodedOutputStream.computeUInt32Size(OUTCOME, number(body.result().outcome()))
        + CodedOutputStream.computeStringSize(RESULT_ETAG, body.result().etag())
        + CodedOutputStream.computeDoubleSize(CHARGE, body.result().charge());
  }

  private static void writeHeader(WriteBody body, CodedOutputStream out) throws IOException {
    out.writeFixed64(CLIENT_HIGH, body.request().client().high());
    out.writeFixed64(CLIENT_LOW, body.request().client().low());
    out.writeUInt64(SEQUENCE, body.request().sequence());
    out.writeUInt64(DEADLINE_MILLIS, body.deadlineMillis());
    out.writeUInt32(OUTCOME, number(body.result().outcome()));
    out.writeString(RESULT_ETAG, body.result().etag());
    out.writeDouble(CHARGE, body.result().charge());
  }

  private static int length(ItemMutation mutation) {
    return CodedOutputStream.computeUInt32Size(KIND, number(mutation.kind()))
        + bytesLength(EFFECTIVE_PARTITION_KEY, mutation.effectivePartitionKey().length())
        + bytesLength(PARTITION_KEY, mutation.partitionKey().length())
        + bytesLength(ID, mutation.id().length())
        + bytesLength(DOCUMENT, mutation.document().length())
        + CodedOutputStream.computeStringSize(ETAG, mutation.etag())
        + CodedOutputStream.computeUInt64Size(TIMESTAMP_SECONDS, mutation.timestampSeconds())
        + CodedOutputStream.computeUInt64Size(NUMBER, mutation.number())
        + CodedOutputStream.computeUInt64Size(
            LOGICAL_ITEMS, mutation.logicalSize().items())
        + CodedOutputStream.computeUInt64Size(
            LOGICAL_BYTES, mutation.logicalSize().bytes())
        + CodedOutputStream.computeSInt64Size(ITEMS_DELTA, mutation.delta().items())
        + CodedOutputStream.computeSInt64Size(BYTES_DELTA, mutation.delta().bytes());
  }

  private static void write(ItemMutation mutation, CodedOutputStream out) throws IOException {
    out.writeUInt32(KIND, number(mutation.kind()));
    writeBytes(EFFECTIVE_PARTITION_KEY, mutation.effectivePartitionKey(), out);
    writeBytes(PARTITION_KEY, mutation.partitionKey(), out);
    writeBytes(ID, mutation.id(), out);
    writeBytes(DOCUMENT, mutation.document(), out);
    out.writeString(ETAG, mutation.etag());
    out.writeUInt64(TIMESTAMP_SECONDS, mutation.timestampSeconds());
    out.writeUInt64(NUMBER, mutation.number());
    out.writeUInt64(LOGICAL_ITEMS, mutation.logicalSize().items());
    out.writeUInt64(LOGICAL_BYTES, mutation.logicalSize().bytes());
    out.writeSInt64(ITEMS_DELTA, mutation.delta().items());
    out.writeSInt64(BYTES_DELTA, mutation.delta().bytes());
  }

  private static int bytesLength(int field, int length) {
    return CodedOutputStream.computeTagSize(field)
        + CodedOutputStream.computeUInt32SizeNoTag(length)
        + length;
  }

  private static void writeBytes(int field, Bytes bytes, CodedOutputStream out) throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(bytes.length());
    out.write(bytes.array(), bytes.offset(), bytes.length());
  }

  static WriteBody decode(Bytes body) {
    try {
      return new BodyReader(body).read();
    } catch (IOException | IllegalArgumentException damaged) {
      throw new IllegalArgumentException("no body of a write: " + body, damaged);
    }
  }

  /** What body and mutation readers share. */
  private abstract static class Reader {
    final Bytes body;
    final CodedInputStream in;

    Reader(Bytes body, CodedInputStream in) {
      this.body = body;
      this.in = in;
    }

    final void fields() throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (!field(WireFormat.getTagFieldNumber(tag))) {
          in.skipField(tag);
        }
      }
    }

    /** Reads the value of a field, or answers false and reads nothing if it does not know the field. */
    abstract boolean field(int number) throws IOException;

    final Bytes slice() throws IOException {
      int length = in.readRawVarint32();
      int at = in.getTotalBytesRead();
      in.skipRawBytes(length);
      return Bytes.wrap(body.array(), body.offset() + at, length);
    }

    final String ascii() throws IOException {
      Bytes bytes = slice();
      return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.ISO_8859_1);
    }
  }

  private static final class BodyReader extends Reader {
    private long clientHigh;
    private long clientLow;
    private long sequence;
    private long deadlineMillis;
    private int outcome;
    private String etag = "";
    private double charge;
    private final List<ItemMutation> mutations = new ArrayList<>(1);

    BodyReader(Bytes body) {
      super(body, CodedInputStream.newInstance(body.array(), body.offset(), body.length()));
    }

    WriteBody read() throws IOException {
      fields();
      return new WriteBody(
          new RequestId(new Uid(clientHigh, clientLow), sequence),
          deadlineMillis,
          new WriteResult(outcome(outcome), etag, charge),
          mutations);
    }

    @Override
    boolean field(int number) throws IOException {
      switch (number) {
        case CLIENT_HIGH -> clientHigh = in.readFixed64();
        case CLIENT_LOW -> clientLow = in.readFixed64();
        case SEQUENCE -> sequence = in.readUInt64();
        case DEADLINE_MILLIS -> deadlineMillis = in.readUInt64();
        case OUTCOME -> outcome = in.readUInt32();
        case RESULT_ETAG -> etag = ascii();
        case CHARGE -> charge = in.readDouble();
        case MUTATIONS -> mutations.add(mutation());
        default -> {
          return false;
        }
      }
      return true;
    }

    private ItemMutation mutation() throws IOException {
      int outer = in.pushLimit(in.readRawVarint32());
      ItemMutation mutation = new MutationReader(body, in).read();
      in.popLimit(outer);
      return mutation;
    }
  }

  private static final class MutationReader extends Reader {
    private int kind;
    private Bytes effectivePartitionKey = Bytes.EMPTY;
    private Bytes partitionKey = Bytes.EMPTY;
    private Bytes id = Bytes.EMPTY;
    private Bytes document = Bytes.EMPTY;
    private String etag = "";
    private long timestampSeconds;
    private long number;
    private long logicalItems;
    private long logicalBytes;
    private long itemsDelta;
    private long bytesDelta;

    MutationReader(Bytes body, CodedInputStream in) {
      super(body, in);
    }

    ItemMutation read() throws IOException {
      fields();
      return new ItemMutation(
          kind(kind),
          effectivePartitionKey,
          partitionKey,
          id,
          document,
          etag,
          timestampSeconds,
          number,
          new LogicalSize(logicalItems, logicalBytes),
          new SizeDelta(itemsDelta, bytesDelta));
    }

    @Override
    boolean field(int field) throws IOException {
      switch (field) {
        case KIND -> kind = in.readUInt32();
        case EFFECTIVE_PARTITION_KEY -> effectivePartitionKey = slice();
        case PARTITION_KEY -> partitionKey = slice();
        case ID -> id = slice();
        case DOCUMENT -> document = slice();
        case ETAG -> etag = ascii();
        case TIMESTAMP_SECONDS -> timestampSeconds = in.readUInt64();
        case NUMBER -> number = in.readUInt64();
        case LOGICAL_ITEMS -> logicalItems = in.readUInt64();
        case LOGICAL_BYTES -> logicalBytes = in.readUInt64();
        case ITEMS_DELTA -> itemsDelta = in.readSInt64();
        case BYTES_DELTA -> bytesDelta = in.readSInt64();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  private static int number(Outcome outcome) {
    return switch (outcome) {
      case CREATED -> 1;
      case REPLACED -> 2;
      case DELETED -> 3;
      case READ -> throw new IllegalArgumentException("a read is no result of a write");
    };
  }

  private static Outcome outcome(int number) {
    return switch (number) {
      case 1 -> Outcome.CREATED;
      case 2 -> Outcome.REPLACED;
      case 3 -> Outcome.DELETED;
      default -> throw new IllegalArgumentException("outcome " + number);
    };
  }

  private static int number(ItemMutation.Kind kind) {
    return switch (kind) {
      case PUT -> 1;
      case DELETE -> 2;
    };
  }

  private static ItemMutation.Kind kind(int number) {
    return switch (number) {
      case 1 -> ItemMutation.Kind.PUT;
      case 2 -> ItemMutation.Kind.DELETE;
      default -> throw new IllegalArgumentException("mutation kind " + number);
    };
  }
}
