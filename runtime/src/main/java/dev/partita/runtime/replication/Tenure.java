package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.FromReplica.Appended;
import dev.partita.runtime.replication.FromReplica.Confirmed;
import dev.partita.runtime.replication.FromReplica.Fetched;
import dev.partita.runtime.replication.FromReplica.Mismatched;
import dev.partita.runtime.replication.FromReplica.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A prepared primary at work: its own first entry, replication, commit and confirm rounds (L5 to L10). What
 * is in its log it never changes, only continues (I14).
 */
final class Tenure {
  private final Uid clusterId;
  private final PrimarySettings settings;
  private final Epoch epoch;
  private final Log log;
  private final Rounds rounds = new Rounds();
  private final CatchUp catchUp;
  private final long noOpLsn;

  private Configuration configuration;
  private long configLsn;
  private List<Member> members;
  private long commit;
  private boolean established;
  private long confirmSentAt;
  private long now;
  private long sliceFrom;
  private long sliceLast;
  private List<Entry> slice = List.of();

  Tenure(
      Uid clusterId, @Nullable ReplicaId local, PrimarySettings settings, TakeOver from, long now) {
    this.clusterId = clusterId;
    this.settings = settings;
    this.epoch = from.epoch();
    this.log = from.log();
    this.commit = from.commit();
    this.configuration = from.best().config().orElseThrow();
    this.configLsn = from.best().configLsn().value();
    this.members = new ArrayList<>();
    this.catchUp = new CatchUp(clusterId, epoch, local, settings);
    for (var id : configuration.members()) {
      members.add(adopted(id, from.promise(id), now));
    }
    this.now = now;
    this.noOpLsn = append(EntryKind.NO_OP, Bytes.EMPTY, Long.MIN_VALUE); // L5
  }

  /** L4: a member's end counts as equal only if the adopted log has exactly that LSN with that epoch. */
  private Member adopted(ReplicaId id, @Nullable Promise promise, long now) {
    long match = 0;
    long next = log.last() + 1;
    if (promise != null) {
      long end = promise.lastLsn().value();
      match = log.knows(end) && log.epochAt(end).equals(promise.lastEpoch()) ? end : 0;
      next = Math.min(end, log.last()) + 1;
    }
    return new Member(id, settings.pipelineDepth(), match, next, now);
  }

  Epoch epoch() {
    return epoch;
  }

  long commit() {
    return commit;
  }

  long lastLsn() {
    return log.last();
  }

  boolean isEstablished() {
    return established;
  }

  Configuration configuration() {
    return configuration;
  }

  long match(ReplicaId id) {
    var member = member(id);
    return member == null ? 0 : member.match;
  }

  List<Entry> entriesAfter(long lsn) {
    return log.above(lsn);
  }

  /** Whether {@code id} counts. */
  boolean isMember(ReplicaId id) {
    return member(id) != null;
  }

  long propose(EntryKind kind, Bytes body, long clockMillis) {
    checkServes();
    switch (kind) {
      case CONFIG -> {
        checkMayReconfigure(Configuration.decode(body));
        long lsn = append(kind, body, clockMillis);
        reconfigure(Configuration.decode(body), lsn);
        return lsn;
      }
      case SPLIT -> throw new IllegalArgumentException("no replica set can split yet");
      default -> {
        return append(kind, body, clockMillis);
      }
    }
  }

  private void checkMayReconfigure(Configuration next) {
    if (configLsn > commit || !next.follows(configuration)) { // L13, I9
      throw new IllegalStateException(
          next + " cannot follow " + configuration + " of " + configLsn + ", committed " + commit);
    }
  }

  /** C5: in force from the moment it is in the log. */
  private void reconfigure(Configuration next, long lsn) {
    var kept = new ArrayList<Member>();
    for (var id : next.members()) {
      var member = member(id);
      kept.add(
          member != null
              ? member
              : new Member(id, settings.pipelineDepth(), 0, log.last() + 1, now));
    }
    members = kept;
    configuration = next;
    configLsn = lsn;
  }

  private long append(EntryKind kind, Bytes body, long clockMillis) {
    long lsn = log.last() + 1;
    long time = Math.max(log.timeAt(log.last()), clockMillis);
    log.append(new Entry(new Lsn(lsn), epoch, kind, time, body));
    return lsn;
  }

  /** L7: nothing is evaluated before the own entry is committed. */
  private void checkServes() {
    if (!established) {
      throw new IllegalStateException("the first entry of " + epoch + " is not committed");
    }
  }

  long joinRound() {
    checkServes();
    return rounds.join(log.last());
  }

  void onAppended(Appended appended, long now, List<Action> out) {
    var member = heard(appended.from(), now, out);
    if (member == null) {
      return;
    }
    long match = appended.match().value();
    if (match > log.last()) {
      throw new InvariantViolation("I13", appended + " beyond " + log.last());
    }
    boolean more = match > member.match;
    member.holds(match);
    if (more) {
      member.mode = Member.Mode.APPEND; // whatever was on its way to it has come
      advance(out);
    }
    echo(member, appended.round(), out);
  }

  void onMismatched(Mismatched mismatched, long now, List<Action> out) {
    var member = heard(mismatched.from(), now, out);
    if (member == null) {
      return;
    }
    echo(member, mismatched.round(), out);
    if (mismatched.needSnapshot()) {
      catchUp.needSnapshot(member);
    } else if (member.mode == Member.Mode.SNAPSHOT) {
      out.add(new Action.Dropped(DropReason.OTHER_PHASE)); // it will fit when the snapshot is there
    } else if (member.mismatched(mismatched.prevLsn().value(), mismatched.hint().value())) {
      member.mode = Member.Mode.APPEND;
    } else {
      out.add(new Action.Dropped(DropReason.DUPLICATE));
    }
  }

  void onConfirmed(Confirmed confirmed, long now, List<Action> out) {
    var member = heard(confirmed.from(), now, out);
    if (member != null) {
      echo(member, confirmed.round(), out);
    }
  }

  void onFetched(Fetched fetched, long now, List<Action> out) {
    var source = heard(fetched.from(), now, out);
    if (source == null) {
      return;
    }
    for (var member : members) {
      if (catchUp.isWaitingFor(member, source, fetched)) {
        var append = catchUp.append(member, source, fetched, commit, rounds.begun());
        if (append != null) {
          send(member, append, now, out);
        }
        return;
      }
    }
    out.add(new Action.Dropped(DropReason.DUPLICATE));
  }

  private @Nullable Member heard(ReplicaId from, long now, List<Action> out) {
    this.now = now;
    var member = member(from);
    if (member == null) {
      out.add(new Action.Dropped(DropReason.NOT_A_MEMBER));
      return null;
    }
    member.heardAt = now;
    return member;
  }

  /** L6: the largest own entry on a write quorum; earlier epochs' entries commit only beneath one. */
  private void advance(List<Action> out) {
    long reached = commit;
    for (var candidate : members) {
      long lsn = candidate.match;
      if (lsn > reached && lsn >= noOpLsn && holdsQuorum(lsn)) {
        reached = lsn;
      }
    }
    if (reached == commit) {
      return;
    }
    commit = reached;
    out.add(new Action.Committed(new Lsn(commit)));
    if (!established) {
      established = true;
      out.add(new Action.NoOpCommitted(new Lsn(noOpLsn)));
    }
    if (rounds.committed(commit)) {
      out.add(new Action.RoundConfirmed(rounds.confirmed()));
    }
    log.dropOldest(commit, settings.windowBytes());
  }

  private boolean holdsQuorum(long lsn) {
    return configuration.isWriteQuorum(id -> known(id).match >= lsn);
  }

  /** 7.2: only an echo of this round or a later one says that nobody was promised after the arrival. */
  private void echo(Member member, long round, List<Action> out) {
    member.confirmed = Math.max(member.confirmed, round);
    long begun = rounds.begun();
    if (rounds.isUnderWay()
        && round >= begun
        && configuration.isReadQuorum(id -> known(id).confirmed >= begun)) {
      rounds.confirm();
      out.add(new Action.RoundConfirmed(begun));
    }
  }

  /** Whether a write quorum was heard within the time {@code isRecent} accepts (L14). */
  boolean hears(LongPredicate isRecent) {
    return configuration.isWriteQuorum(id -> isRecent.test(known(id).heardAt));
  }

  /** Sends what waits, as far as the pipelines allow, and the news of a commit where nothing else will. */
  void flush(long now, List<Action> out) {
    this.now = now;
    if (rounds.begin()) {
      confirm(now, out);
    }
    for (var member : members) {
      if (member.reachable) {
        pump(member, now, out);
      }
    }
  }

  private void pump(Member member, long now, List<Action> out) {
    while (member.mode == Member.Mode.APPEND && member.hasRoom() && member.next <= log.last()) {
      if (member.next < log.first()) {
        catchUp.needEntries(member);
        break;
      }
      var entries = slice(member.next);
      var append = append(member, member.next - 1, entries);
      member.sent(member.next + entries.size() - 1);
      send(member, append, now, out);
    }
    if (member.mode != Member.Mode.APPEND) {
      var request = catchUp.request(member, members, now);
      if (request != null) {
        out.add(new Action.Send(request.to(), request));
      }
    } else if (member.isIdle() && member.told < commit && log.knows(member.match)) {
      send(member, append(member, member.match, List.of()), now, out);
    }
  }

  /** The same batch goes to several members. */
  private List<Entry> slice(long from) {
    if (from != sliceFrom || sliceLast != log.last()) {
      sliceFrom = from;
      sliceLast = log.last();
      slice = log.slice(from, sliceLast, settings.batchEntries(), settings.batchBytes());
    }
    return slice;
  }

  /** Repeats what nobody answered, and shows every member that it has a primary (L8). */
  void tick(long now, List<Action> out) {
    if (rounds.isUnderWay() && now - confirmSentAt >= settings.heartbeatMillis()) {
      confirm(now, out);
    }
    for (var member : members) {
      if (member.reachable && now - member.appendedAt >= settings.heartbeatMillis()) {
        heartbeat(member, now, out);
      }
    }
    flush(now, out);
  }

  /** An empty Append behind all that was sent: its answer shows whether that arrived. */
  void heartbeat(Member member, long now, List<Action> out) {
    long prev = Math.max(member.next - 1, log.first() - 1);
    send(member, append(member, prev, List.of()), now, out);
  }

  /** Tells everybody the last commit (H2). */
  void farewell(long now, List<Action> out) {
    for (var member : members) {
      if (member.reachable && member.told < commit) {
        heartbeat(member, now, out);
      }
    }
  }

  private void confirm(long now, List<Action> out) {
    confirmSentAt = now;
    for (var member : members) {
      if (member.reachable) {
        out.add(new Action.Send(
            member.id, new ToReplica.Confirm(clusterId, member.id, epoch, rounds.begun())));
      }
    }
  }

  private ToReplica.Append append(Member member, long prev, List<Entry> entries) {
    return new ToReplica.Append(
        clusterId,
        member.id,
        epoch,
        new Lsn(prev),
        log.epochAt(prev),
        entries,
        new Lsn(commit),
        rounds.begun());
  }

  private void send(Member member, ToReplica.Append append, long now, List<Action> out) {
    member.appendedAt = now;
    member.told = commit;
    out.add(new Action.Send(member.id, append));
  }

  void lost(ReplicaId id) {
    var member = member(id);
    if (member != null) {
      member.reachable = false;
    }
  }

  void found(ReplicaId id, long now, List<Action> out) {
    var member = member(id);
    if (member != null && !member.reachable) {
      member.reachable = true;
      member.rewind(log.last());
      pump(member, now, out);
      if (member.isIdle()) {
        heartbeat(member, now, out); // its answer says where it is
      }
    }
  }

  /** Whether this is the first time that the member is known not to trust itself. */
  boolean marksQuarantined(ReplicaId id) {
    var member = member(id);
    if (member == null || member.alarmed) {
      return false;
    }
    member.alarmed = true;
    return true;
  }

  private Member known(ReplicaId id) {
    var member = member(id);
    if (member == null) {
      throw new IllegalStateException(id + " is no member");
    }
    return member;
  }

  private @Nullable Member member(ReplicaId id) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).id.equals(id)) {
        return members.get(i);
      }
    }
    return null;
  }
}
