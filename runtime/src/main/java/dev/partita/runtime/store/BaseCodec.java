package dev.partita.runtime.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Configuration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A {@link Base} as bytes, in protobuf wire format: part of records in the store and in the journal. */
public final class BaseCodec {
  private static final int LSN = 1;
  private static final int EPOCH_COUNTER = 2;
  private static final int EPOCH_HIGH = 3;
  private static final int EPOCH_LOW = 4;
  private static final int CONFIGURATION = 5;
  private static final int CONFIGURATION_LSN = 6;
  private static final int LOG_TIME = 7;
  private static final int HISTORY_ID = 8;

  private BaseCodec() {}

  public static byte[] encode(Base base) {
    var buffer = new ByteArrayOutputStream(256);
    CodedOutputStream out = CodedOutputStream.newInstance(buffer, 256);
    try {
      out.writeUInt64(LSN, base.lsn().value());
      out.writeUInt64(EPOCH_COUNTER, base.epoch().counter());
      out.writeFixed64(EPOCH_HIGH, base.epoch().attempt().high());
      out.writeFixed64(EPOCH_LOW, base.epoch().attempt().low());
      out.writeByteArray(CONFIGURATION, base.config().encode().toArray());
      out.writeUInt64(CONFIGURATION_LSN, base.configLsn().value());
      out.writeUInt64(LOG_TIME, base.logTime());
      out.writeFixed64(HISTORY_ID, base.historyId());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return buffer.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws UncheckedIOException when the bytes are not that
   */
  public static Base decode(byte[] encoded) {
    CodedInputStream in = CodedInputStream.newInstance(encoded);
    long lsn = 0;
    long counter = 0;
    long high = 0;
    long low = 0;
    byte[] configuration = new byte[0];
    long configurationLsn = 0;
    long logTime = 0;
    long historyId = 0;
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (WireFormat.getTagFieldNumber(tag)) {
          case LSN -> lsn = in.readUInt64();
          case EPOCH_COUNTER -> counter = in.readUInt64();
          case EPOCH_HIGH -> high = in.readFixed64();
          case EPOCH_LOW -> low = in.readFixed64();
          case CONFIGURATION -> configuration = in.readByteArray();
          case CONFIGURATION_LSN -> configurationLsn = in.readUInt64();
          case LOG_TIME -> logTime = in.readUInt64();
          case HISTORY_ID -> historyId = in.readFixed64();
          default -> in.skipField(tag); // written by a later version
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a base is damaged", e);
    }
    return new Base(
        new Lsn(lsn),
        new Epoch(counter, new Uid(high, low)),
        Configuration.decode(Bytes.wrap(configuration)),
        new Lsn(configurationLsn),
        logTime,
        historyId);
  }
}
