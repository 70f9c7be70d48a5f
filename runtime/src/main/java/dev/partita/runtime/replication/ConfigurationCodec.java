package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Body of a CONFIG entry: a version byte, a count of member sets, and for each its size and its members, all
 * big-endian. These bytes stay on disk for ever.
 */
final class ConfigurationCodec {
  private static final byte VERSION = 1;
  private static final int MEMBER_BYTES = 4 * Long.BYTES;

  private ConfigurationCodec() {}

  static Bytes encode(List<Configuration.Simple> sets) {
    int size = 2;
    for (var set : sets) {
      size += Integer.BYTES + set.members().size() * MEMBER_BYTES;
    }
    var buffer = ByteBuffer.allocate(size).put(VERSION).put((byte) sets.size());
    for (var set : sets) {
      buffer.putInt(set.members().size());
      for (var member : set.members()) {
        buffer
            .putLong(member.partition().value())
            .putLong(member.store().high())
            .putLong(member.store().low())
            .putLong(member.incarnation());
      }
    }
    return Bytes.wrap(buffer.array());
  }

  static Configuration decode(Bytes body) {
    try {
      var buffer = body.toByteBuffer();
      if (buffer.get() != VERSION) {
        throw new IllegalArgumentException("a configuration of an unknown version");
      }
      int sets = buffer.get();
      var configuration = switch (sets) {
        case 1 -> simple(buffer);
        case 2 -> new Configuration.Joint(simple(buffer), simple(buffer));
        default -> throw new IllegalArgumentException("a configuration of " + sets + " sets");
      };
      if (buffer.hasRemaining()) {
        throw new IllegalArgumentException("bytes after a configuration");
      }
      return configuration;
    } catch (BufferUnderflowException cut) {
      throw new IllegalArgumentException("a configuration that ends early", cut);
    }
  }

  private static Configuration.Simple simple(ByteBuffer buffer) {
    int size = buffer.getInt();
    if (size < 1 || size > buffer.remaining() / MEMBER_BYTES) {
      throw new IllegalArgumentException("a member set of " + size);
    }
    var members = new ArrayList<ReplicaId>(size);
    for (int i = 0; i < size; i++) {
      members.add(new ReplicaId(
          new PhysicalPartitionId(buffer.getLong()),
          new Uid(buffer.getLong(), buffer.getLong()),
          buffer.getLong()));
    }
    return new Configuration.Simple(members);
  }
}
