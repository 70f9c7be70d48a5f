package dev.partita.persistence.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.Actor;
import akka.actor.ActorSystem;
import akka.persistence.PersistentRepr;
import akka.serialization.SerializationExtension;
import akka.testkit.javadsl.TestKit;
import com.typesafe.config.ConfigFactory;
import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bytes of an event: those of version 1 are read for ever. */
class EventCodecTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final String WRITER = "0d1f2b3c-0000-4000-8000-00000000002a";
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_234_567), ZoneOffset.UTC);

  private final ActorSystem system =
      ActorSystem.create("codec", ConfigFactory.parseString("akka.loglevel = ERROR"));
  private final EventCodec codec = new EventCodec(SerializationExtension.get(system), CLOCK);

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(system);
  }

  @Test
  void readsAndWritesVersion1() throws Exception {
    assertGolden("event-plain-v1.hex", event("payload", "", WRITER), List.of());
    assertGolden(
        "event-full-v1.hex",
        event(42L, "manifest", "writer é").withMetadata("meta").withTimestamp(99),
        List.of("blue", "red"));
  }

  private void assertGolden(String name, PersistentRepr event, List<String> tags) throws Exception {
    var body = join(codec.encode(event, event.payload(), tags));
    var file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(file, HexFormat.of().formatHex(body));
    }
    byte[] golden = HexFormat.of().parseHex(Files.readString(file).strip());
    assertThat(body).isEqualTo(golden);
    var read = codec.decode("id", 7, ByteBuffer.wrap(golden));
    assertThat(read).isEqualTo(event);
    assertThat(read.metadata()).isEqualTo(event.metadata());
    assertThat(read.timestamp()).isEqualTo(event.timestamp() == 0 ? CLOCK.millis() : 99);
  }

  @Test
  void rejectsAManifestThatIsTooLong() {
    var event = event("payload", "m".repeat(70_000), WRITER);
    assertThatThrownBy(() -> codec.encode(event, event.payload(), List.of()))
        .isInstanceOf(NotSerializableException.class);
  }

  private static PersistentRepr event(Object payload, String manifest, String writer) {
    return PersistentRepr.apply(payload, 7, "id", manifest, false, Actor.noSender(), writer);
  }

  private static byte[] join(byte[][] parts) {
    var joined = ByteBuffer.allocate(
        List.of(parts).stream().mapToInt(part -> part.length).sum());
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }
}
