package dev.partita.runtime.replication;

import dev.partita.runtime.model.ReplicaId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The members of the configuration in force, as their primary knows them, and what they amount to (I15). */
final class Members implements Iterable<Member> {
  private Configuration configuration;
  private List<Member> members;

  Members(Configuration configuration, Function<ReplicaId, Member> member) {
    this.configuration = configuration;
    this.members = configuration.members().stream().map(member).toList();
  }

  Configuration configuration() {
    return configuration;
  }

  /** C5: in force from the moment it is in the log. Whoever stays keeps what is known of it. */
  void change(Configuration next, Function<ReplicaId, Member> newcomer) {
    var changed = new ArrayList<Member>();
    for (var id : next.members()) {
      var known = find(id);
      changed.add(known != null ? known : newcomer.apply(id));
    }
    configuration = next;
    members = changed;
  }

  @Nullable
  Member find(ReplicaId id) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).id.equals(id)) {
        return members.get(i);
      }
    }
    return null;
  }

  private Member get(ReplicaId id) {
    var member = find(id);
    if (member == null) {
      throw new IllegalStateException(id + " is no member");
    }
    return member;
  }

  /** Whether a write quorum holds the log durably through {@code lsn}. */
  boolean hold(long lsn) {
    return configuration.isWriteQuorum(id -> get(id).match >= lsn);
  }

  /** Whether a read quorum answered this round or a later one. */
  boolean confirm(long round) {
    return configuration.isReadQuorum(id -> get(id).confirmed >= round);
  }

  /** Whether a write quorum was heard at a time that {@code isRecent} accepts. */
  boolean wereHeard(LongPredicate isRecent) {
    return configuration.isWriteQuorum(id -> isRecent.test(get(id).heardAt));
  }

  @Override
  public Iterator<Member> iterator() {
    return members.iterator();
  }
}
