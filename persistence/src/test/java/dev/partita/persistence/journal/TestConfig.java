package dev.partita.persistence.journal;

import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.serialization.JSerializer;
import akka.serialization.Serialization;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The configuration of an actor system that stores in a directory of its own. */
public final class TestConfig {
  /** Small, so that tests meet the end of a segment. */
  public static final int SEGMENT_BYTES = 64 << 10;

  private TestConfig() {}

  public static Config in(Path directory) {
    return ConfigFactory.parseString("""
            akka.loglevel = WARNING
            akka.actor.serializers.mention = "%s"
            akka.actor.serialization-bindings { "%s" = mention }
            akka.persistence.journal.plugin = partita.persistence.journal
            partita.persistence.journal {
              directory = "%s"
              segment-size = %d
              reserve-size = 0
            }
            """.formatted(
                MentionSerializer.class.getName(),
                Mention.class.getName(),
                directory.resolve("journal"),
                SEGMENT_BYTES))
        .withFallback(ConfigFactory.load());
  }

  /** An event that mentions an actor, which only a serializer that knows its system can write. */
  public record Mention(ActorRef actor) {}

  /** Fails unless Akka has said for which system it serialises. */
  public static final class MentionSerializer extends JSerializer {
    private final ExtendedActorSystem system;

    public MentionSerializer(ExtendedActorSystem system) {
      this.system = system;
    }

    @Override
    public int identifier() {
      return 4711;
    }

    @Override
    public byte[] toBinary(Object mention) {
      Serialization.getCurrentTransportInformation(); // throws if there is none
      return Serialization.serializedActorPath(((Mention) mention).actor())
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean includeManifest() {
      return true;
    }

    @Override
    public Object fromBinaryJava(byte[] bytes, @Nullable Class<?> manifest) {
      Serialization.getCurrentTransportInformation(); // throws if there is none
      return new Mention(
          system.provider().resolveActorRef(new String(bytes, StandardCharsets.UTF_8)));
    }
  }
}
