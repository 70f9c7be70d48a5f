package dev.partita.runtime.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.CodedOutputStream;
import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.RequestId;
import dev.partita.runtime.model.ResourceId;
import dev.partita.runtime.model.Uid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies on disks. A golden file is never changed: a new layout gets a file of its own. */
class StoredFormsTest {
  private static final ItemMutation PUT = new ItemMutation(
      ItemMutation.Kind.PUT,
      Bytes.wrap(HexFormat.of().parseHex("3A5381E1114EB8D3FCC90795045B49B7")),
      Bytes.wrap(HexFormat.of().parseHex("01080000000161")),
      Bytes.utf8("Zoë 😀"),
      Bytes.utf8("{\"id\":\"Zoë 😀\",\"pk\":\"a\",\"_ts\":1796052955}"),
      "\"8fa20003-0000-0100-0000-569721d3db47\"",
      1796052955,
      ResourceId.itemNumber(3, 77),
      new LogicalSize(12, 34567),
      new SizeDelta(1, 45));
  private static final ItemMutation DELETE = new ItemMutation(
      ItemMutation.Kind.DELETE,
      PUT.effectivePartitionKey(),
      PUT.partitionKey(),
      Bytes.utf8("b"),
      Bytes.EMPTY,
      "",
      1796052955,
      ResourceId.itemNumber(2, 5),
      new LogicalSize(11, 34000),
      new SizeDelta(-1, -567));
  private static final WriteBody BODY = new WriteBody(
      new RequestId(new Uid(0x8000000000000001L, -2), Long.MAX_VALUE),
      1796052960123L,
      new WriteResult(Outcome.CREATED, PUT.etag(), 5.72),
      List.of(PUT, DELETE));
  private static final StoredItem ITEM = StoredItem.of(new Lsn(4711), PUT);

  private static Bytes golden(String name) throws IOException {
    try (var in = StoredFormsTest.class.getResourceAsStream("/golden/" + name)) {
      return Bytes.wrap(HexFormat.of()
          .parseHex(
              new String(in.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", "")));
    }
  }

  private static Bytes inTheMiddle(Bytes bytes) {
    byte[] around = new byte[bytes.length() + 20];
    System.arraycopy(bytes.array(), bytes.offset(), around, 7, bytes.length());
    return Bytes.wrap(around, 7, bytes.length());
  }

  @Test
  void aWriteBodyOfVersion1IsRead() throws IOException {
    assertThat(WriteBody.decode(golden("write-body-1.hex"))).isEqualTo(BODY);
    assertThat(BODY.encode()).isEqualTo(golden("write-body-1.hex"));
  }

  @Test
  void aStoredItemOfVersion1IsRead() throws IOException {
    assertThat(StoredItem.decode(golden("stored-item-1.hex"))).isEqualTo(ITEM);
    assertThat(StoredItem.etag(golden("stored-item-1.hex"))).isEqualTo(PUT.etag());
    assertThat(Bytes.wrap(ITEM.encode())).isEqualTo(golden("stored-item-1.hex"));
  }

  @Test
  void aSizeOfVersion1IsRead() throws IOException {
    assertThat(LogicalSize.decode(golden("logical-size-1.hex"))).isEqualTo(PUT.logicalSize());
    assertThat(Bytes.wrap(PUT.logicalSize().encode())).isEqualTo(golden("logical-size-1.hex"));
  }

  @Test
  void documentsAreSlicesOfWhatWasRead() {
    Bytes body = inTheMiddle(BODY.encode());
    WriteBody decoded = WriteBody.decode(body);
    assertThat(decoded).isEqualTo(BODY);
    assertThat(decoded.mutations().get(0).document().array()).isSameAs(body.array());
    assertThat(decoded.mutations().get(1).id().array()).isSameAs(body.array());

    Bytes item = inTheMiddle(Bytes.wrap(ITEM.encode()));
    assertThat(StoredItem.decode(item)).isEqualTo(ITEM);
    assertThat(StoredItem.decode(item).document().array()).isSameAs(item.array());
  }

  /** A later version adds fields, to the body and to a mutation. */
  @Test
  void fieldsThatThisVersionDoesNotKnowAreSkipped() throws IOException {
    var mutation = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(mutation);
    out.writeString(99, "ttl");
    out.writeUInt32(1, 2);
    out.writeFixed64(100, -1);
    out.writeByteArray(4, new byte[] {'x'});
    out.flush();
    var later = new ByteArrayOutputStream();
    out = CodedOutputStream.newInstance(later);
    out.writeFixed32(50, 1);
    out.writeUInt32(5, 3);
    out.writeByteArray(8, mutation.toByteArray());
    out.writeDouble(51, 1.5);
    out.flush();

    WriteBody decoded = WriteBody.decode(Bytes.wrap(later.toByteArray()));
    assertThat(decoded.result()).isEqualTo(new WriteResult(Outcome.DELETED, "", 0));
    assertThat(decoded.mutations()).hasSize(1);
    assertThat(decoded.mutations().get(0).kind()).isEqualTo(ItemMutation.Kind.DELETE);
    assertThat(decoded.mutations().get(0).id()).isEqualTo(Bytes.utf8("x"));
  }

  @Test
  void aWriteBodyThatIsCutOrChangedIsReadOrRefusedButNeverBreaksTheReader() {
    byte[] whole = BODY.encode().toArray();
    for (int length = 0; length < whole.length; length++) {
      readOrRefuse(Arrays.copyOf(whole, length));
    }
    var random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = whole.clone();
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      readOrRefuse(changed);
    }
  }

  private static void readOrRefuse(byte[] bytes) {
    try {
      assertThat(WriteBody.decode(Bytes.wrap(bytes)).mutations()).isNotEmpty();
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("no body of a write");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "01",
        "02",
        "0100000000000000010000000000000001000000000000000105616161",
        "01000000000000000100000000000000010000000000000001ff"
      })
  void otherBytesAreNoStoredItem(String hex) {
    Bytes bytes = Bytes.wrap(HexFormat.of().parseHex(hex));
    assertThatIllegalArgumentException().isThrownBy(() -> StoredItem.decode(bytes));
    assertThatIllegalArgumentException().isThrownBy(() -> StoredItem.etag(bytes));
    assertThatIllegalArgumentException().isThrownBy(() -> LogicalSize.decode(bytes));
  }

  @Test
  void aReadIsNoResultOfAWrite() {
    var body =
        new WriteBody(BODY.request(), 0, new WriteResult(Outcome.READ, "", 1), BODY.mutations());
    assertThatIllegalArgumentException().isThrownBy(body::encode);
  }
}
