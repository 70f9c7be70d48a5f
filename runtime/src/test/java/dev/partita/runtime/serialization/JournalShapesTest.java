package dev.partita.runtime.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.serialization.SerializerWithStringManifest;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostEvent;
import dev.partita.runtime.replication.Base;
import dev.partita.runtime.replication.Configuration;
import dev.partita.runtime.replication.Entry;
import dev.partita.runtime.replication.EntryKind;
import dev.partita.runtime.replication.ReplicaEvent;
import dev.partita.runtime.store.PartitionDescriptor;
import dev.partita.runtime.store.ReplicaRecord;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What journals and stores hold of version 1 is read back for ever: {@code golden/runtime-shapes-1.txt}. */
class JournalShapesTest {
  private static final ReplicaEventSerializer REPLICA = new ReplicaEventSerializer();
  private static final HostEventSerializer HOST = new HostEventSerializer();
  private static final PhysicalPartitionId PARTITION = new PhysicalPartitionId(12);
  private static final List<ReplicaId> MEMBERS = Stream.of(1L, 2L, 3L, 4L)
      .map(store -> new ReplicaId(PARTITION, new Uid(9, store), 77))
      .toList();
  private static final Epoch FIRST = new Epoch(3, new Uid(-1, 5));
  private static final Epoch SECOND = new Epoch(4, new Uid(6, -7));
  private static final Base BASE =
      new Base(new Lsn(40), FIRST, Configuration.of(MEMBERS), new Lsn(8), 1_796_051_148_000L, -3);

  private static Entry entry(long lsn, Epoch epoch, EntryKind kind, String body) {
    return new Entry(new Lsn(lsn), epoch, kind, 1_796_051_148_000L + lsn, Bytes.utf8(body));
  }

  static Map<String, Object> shapes() {
    Map<String, Object> shapes = new LinkedHashMap<>();
    shapes.put("promised", new ReplicaEvent.Promised(FIRST));
    shapes.put(
        "appended",
        new ReplicaEvent.Appended(
            SECOND,
            new Lsn(41),
            List.of(
                entry(41, FIRST, EntryKind.WRITE, "of the epoch before"),
                entry(42, SECOND, EntryKind.NO_OP, ""),
                entry(43, SECOND, EntryKind.WRITE, "body"),
                entry(44, SECOND, EntryKind.REFUSAL, "refused"),
                entry(45, SECOND, EntryKind.CONFIG, "members"))));
    shapes.put("rebased", new ReplicaEvent.Rebased(SECOND, BASE, List.of()));
    shapes.put(
        "rebased-with-suffix",
        new ReplicaEvent.Rebased(
            SECOND, BASE, List.of(entry(41, FIRST, EntryKind.WRITE, "suffix"))));
    shapes.put(
        "created",
        new HostEvent.ReplicaCreated(
            MEMBERS.get(0),
            new PartitionDescriptor(PARTITION, 5, "AQAAAA==", "AQAAAIAAAAE=", 2, "1000", "FF"),
            65_536,
            MEMBERS));
    shapes.put("removed", new HostEvent.ReplicaRemoved(MEMBERS.get(1)));
    shapes.put("erased", new HostEvent.ReplicaErased(MEMBERS.get(2)));
    shapes.put("record", new ReplicaRecord(65_537, BASE, 3_000, 994_302, 2_999));
    return shapes;
  }

  private static byte[] encode(Object shape) {
    return shape instanceof ReplicaRecord store
        ? store.encode()
        : serializer(shape).toBinary(shape);
  }

  private static Object decode(Object like, byte[] bytes) throws NotSerializableException {
    return like instanceof ReplicaRecord
        ? ReplicaRecord.decode(Bytes.wrap(bytes))
        : serializer(like).fromBinary(bytes, serializer(like).manifest(like));
  }

  private static SerializerWithStringManifest serializer(Object shape) {
    return shape instanceof ReplicaEvent ? REPLICA : HOST;
  }

  static Stream<Arguments> each() {
    return shapes().entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("each")
  void isReadAsItWasWritten(String name, Object shape) throws IOException {
    assertThat(decode(shape, encode(shape))).isEqualTo(shape);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("each")
  void bytesOfVersion1AreReadForEver(String name, Object shape) throws IOException {
    String line = golden().get(name);
    assertThat(line)
        .as("golden bytes; today's are %s", HexFormat.of().formatHex(encode(shape)))
        .isNotNull();
    assertThat(decode(shape, HexFormat.of().parseHex(line))).isEqualTo(shape);
  }

  private static Map<String, String> golden() throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    try (var in = JournalShapesTest.class.getResourceAsStream("/golden/runtime-shapes-1.txt")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> lines.put(
              line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
    }
    return lines;
  }

  @Test
  void anEventOfALaterVersionIsNotTakenForAnother() {
    byte[] bytes = REPLICA.toBinary(new ReplicaEvent.Promised(FIRST));
    assertThatThrownBy(() -> REPLICA.fromBinary(bytes, "promised/2"))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("later version");
  }

  @Test
  void damagedBytesAreSaidToBe() {
    byte[] bytes = REPLICA.toBinary(shapes().get("appended"));
    byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - 3);
    assertThatThrownBy(() -> REPLICA.fromBinary(cut, "appended/1"))
        .isInstanceOf(NotSerializableException.class);
  }
}
