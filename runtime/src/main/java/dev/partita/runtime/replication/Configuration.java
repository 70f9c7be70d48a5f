package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.ReplicaId;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Who counts in a replica set (replication.md section 2). Members are told apart by {@link ReplicaId} alone;
 * nobody else's answer is ever counted, for any quorum (I15).
 */
public sealed interface Configuration {
  /** The members, sorted, each once; of a joint configuration those of both sides. */
  List<ReplicaId> members();

  /** Whether the members for which {@code holds} is true can commit: W = floor(n/2)+1 of them. */
  boolean isWriteQuorum(Predicate<ReplicaId> holds);

  /** Whether they can prepare, confirm and answer reads: R = n-W+1 of them. */
  boolean isReadQuorum(Predicate<ReplicaId> holds);

  /** The body of a {@link EntryKind#CONFIG} entry. */
  Bytes encode();

  /** Whether {@code id} counts here. */
  default boolean contains(ReplicaId id) {
    return members().contains(id);
  }

  /** Whether this may come after {@code before} in a log (C4, C6, I9). */
  default boolean follows(Configuration before) {
    if (this instanceof Joint joint) {
      return joint.from().equals(before);
    }
    return before instanceof Joint joint && joint.to().equals(this);
  }

  /** A configuration of the given members, in any order. */
  static Simple of(Collection<ReplicaId> members) {
    return new Simple(List.copyOf(new TreeSet<>(members)));
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is not that
   */
  static Configuration decode(Bytes body) {
    return ConfigurationCodec.decode(body);
  }

  /**
   * The usual case: one member set.
   *
   * @param members at least one, ascending, of one physical partition
   */
  record Simple(List<ReplicaId> members) implements Configuration {
    public Simple {
      members = List.copyOf(members);
      if (members.isEmpty()) {
        throw new IllegalArgumentException("a configuration has at least one member");
      }
      for (int i = 1; i < members.size(); i++) {
        if (members.get(i - 1).compareTo(members.get(i)) >= 0
            || !members.get(i).partition().equals(members.get(0).partition())) {
          throw new IllegalArgumentException("members of one partition, ascending, not " + members);
        }
      }
    }

    /** Members that make a write quorum. */
    public int writeQuorum() {
      return members.size() / 2 + 1;
    }

    /** Members that make a read quorum: any of those meets any write quorum. */
    public int readQuorum() {
      return members.size() - writeQuorum() + 1;
    }

    @Override
    public boolean isWriteQuorum(Predicate<ReplicaId> holds) {
      return atLeast(writeQuorum(), holds);
    }

    @Override
    public boolean isReadQuorum(Predicate<ReplicaId> holds) {
      return atLeast(readQuorum(), holds);
    }

    private boolean atLeast(int quorum, Predicate<ReplicaId> holds) {
      int count = 0;
      for (int i = 0; i < members.size() && count < quorum; i++) {
        if (holds.test(members.get(i))) {
          count++;
        }
      }
      return count >= quorum;
    }

    @Override
    public Bytes encode() {
      return ConfigurationCodec.encode(List.of(this));
    }
  }

  /**
   * The step from one member set to the next: every quorum is one of both (section 2, C4 to C6).
   *
   * @param from what was in force before
   * @param to what will be
   */
  record Joint(Simple from, Simple to) implements Configuration {
    @Override
    public List<ReplicaId> members() {
      var union = new TreeSet<>(from.members());
      union.addAll(to.members());
      return List.copyOf(union);
    }

    @Override
    public boolean isWriteQuorum(Predicate<ReplicaId> holds) {
      return from.isWriteQuorum(holds) && to.isWriteQuorum(holds);
    }

    @Override
    public boolean isReadQuorum(Predicate<ReplicaId> holds) {
      return from.isReadQuorum(holds) && to.isReadQuorum(holds);
    }

    @Override
    public Bytes encode() {
      return ConfigurationCodec.encode(List.of(from, to));
    }
  }
}
