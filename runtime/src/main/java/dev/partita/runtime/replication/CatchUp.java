package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.FromReplica.Fetched;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings members forward whose next entry the primary no longer has in memory (L8): with entries that another
 * replica retains, or with a snapshot of another's store where nobody does.
 */
final class CatchUp {
  private final Uid clusterId;
  private final Epoch epoch;
  private final @Nullable ReplicaId local;
  private final PrimarySettings settings;

  CatchUp(Uid clusterId, Epoch epoch, @Nullable ReplicaId local, PrimarySettings settings) {
    this.clusterId = clusterId;
    this.epoch = epoch;
    this.local = local;
    this.settings = settings;
  }

  void needEntries(Member member) {
    member.mode = Member.Mode.FETCH;
    member.source = null;
  }

  void needSnapshot(Member member) {
    if (member.mode != Member.Mode.SNAPSHOT) {
      member.mode = Member.Mode.SNAPSHOT;
      member.source = null;
    }
  }

  /** What to ask of whom, unless that was asked a while ago and may still come. */
  ToReplica.@Nullable ToOne request(Member member, List<Member> members, long now) {
    boolean snapshot = member.mode == Member.Mode.SNAPSHOT;
    long patience = snapshot ? settings.snapshotMillis() : 3 * settings.heartbeatMillis();
    if (member.source != null && now - member.askedAt < patience) {
      return null;
    }
    var source = source(member, members);
    if (source == null) {
      return null; // nobody is ahead of it yet, as far as is known in this epoch
    }
    member.source = source.id;
    member.askedAt = now;
    member.forwarded = false;
    return snapshot
        ? new ToReplica.SendSnapshot(clusterId, source.id, epoch, member.id)
        : new ToReplica.Fetch(
            clusterId, source.id, epoch, new Lsn(member.next), settings.fetchBytes());
  }

  /** The local replica if it is ahead of the member and has not just failed, else the one furthest ahead. */
  private @Nullable Member source(Member member, List<Member> members) {
    Member best = null;
    for (var other : members) {
      boolean able = other != member && other.reachable && other.match >= member.next;
      if (able && (best == null || isBetter(other, best, member))) {
        best = other;
      }
    }
    return best;
  }

  private boolean isBetter(Member a, Member b, Member target) {
    boolean aFailed = a.id.equals(target.source);
    boolean bFailed = b.id.equals(target.source);
    if (aFailed != bFailed) {
      return bFailed;
    }
    if (a.id.equals(local) || b.id.equals(local)) {
      return a.id.equals(local);
    }
    return a.match > b.match;
  }

  boolean isWaitingFor(Member member, Member source, Fetched fetched) {
    return member.mode == Member.Mode.FETCH
        && source.id.equals(member.source)
        && !member.forwarded
        && fetched.fromLsn().value() == member.next;
  }

  /**
   * The Append that forwards fetched entries; none if a snapshot is needed instead. Beyond what the source
   * is known to hold its log may be a dead primary's.
   */
  ToReplica.@Nullable Append append(
      Member member, Member source, Fetched fetched, long commit, long round) {
    if (fetched.base().isPresent()) {
      needSnapshot(member);
      return null;
    }
    member.forwarded = true;
    var entries = new ArrayList<Entry>();
    for (var entry : fetched.entries()) {
      if (entry.lsn().value() <= source.match) {
        entries.add(entry);
      }
    }
    return new ToReplica.Append(
        clusterId,
        member.id,
        epoch,
        new Lsn(member.next - 1),
        fetched.prevEpoch(),
        List.copyOf(entries),
        new Lsn(commit),
        round);
  }
}
