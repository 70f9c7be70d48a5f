package dev.partita.runtime.replication;

import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.replication.FromReplica.Appended;
import dev.partita.runtime.replication.FromReplica.Confirmed;
import dev.partita.runtime.replication.FromReplica.Fetched;
import dev.partita.runtime.replication.FromReplica.Mismatched;
import dev.partita.runtime.replication.FromReplica.ProbeReply;
import dev.partita.runtime.replication.FromReplica.Promise;
import dev.partita.runtime.replication.FromReplica.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who would order the writes of one replica set (replication.md section 6). All of it is volatile: an attempt
 * starts from nothing but what replicas answer (L1), and ends at the first sign of a successor.
 *
 * <p>A shell calls {@link #start}, feeds answers to {@link #receive}, calls {@link #tick} twice
 * in {@link PrimarySettings#heartbeatMillis} or more often, and {@link #flush} when it has proposed or joined
 * what its mailbox held. It performs the actions of each step in order. At an {@link InvariantViolation} it
 * lets go of the primary, as if that had stepped down.
 */
public final class Primary {
  /** Where an attempt stands. */
  public enum Phase {
    /** Not started, or stepped down. */
    IDLE,
    /** Asks who is there (L2). */
    PROBE,
    /** Asks for promises (L3). */
    PREPARE,
    /** Fetches what it will continue (L4). */
    FETCH,
    /** Orders and commits (L5 to L10). */
    LEAD
  }

  private final Uid clusterId;
  private final PhysicalPartitionId partition;
  private final Optional<ReplicaId> local;
  private final PrimarySettings settings;
  private final TreeSet<ReplicaId> lost = new TreeSet<>();

  private @Nullable Attempt attempt;
  private @Nullable TakeOver takeOver;
  private @Nullable Tenure tenure;
  private long counterSeen;
  private int defeats;
  private long servingSince;

  /**
   * A primary that has not started.
   *
   * @param local the replica on this node: preferred to fetch from, and counted as any other
   */
  public Primary(
      Uid clusterId,
      PhysicalPartitionId partition,
      Optional<ReplicaId> local,
      PrimarySettings settings) {
    this.clusterId = clusterId;
    this.partition = partition;
    this.local = local;
    this.settings = settings;
  }

  /**
   * Begins an attempt and forgets any earlier one (L1).
   *
   * @param now monotonic clock in milliseconds
   */
  public Step start(Attempt attempt, long now) {
    this.attempt = attempt;
    this.tenure = null;
    this.takeOver = new TakeOver(clusterId, partition, local, settings, attempt, counterSeen, now);
    var out = new ArrayList<Action>();
    takeOver.tick(now, out);
    return step(out);
  }

  /** Takes one answer. */
  public Step receive(FromReplica answer, long now) {
    var out = new ArrayList<Action>();
    var reason = dropReason(answer);
    if (reason != null) {
      out.add(new Action.Dropped(reason));
    } else {
      answer.accept(new Receiver(now, out));
      lead(now, out);
    }
    return step(out);
  }

  private @Nullable DropReason dropReason(FromReplica answer) {
    if (!answer.clusterId().equals(clusterId)) {
      return DropReason.WRONG_CLUSTER;
    }
    if (!answer.from().partition().equals(partition)) {
      return DropReason.WRONG_PARTITION;
    }
    if (answer instanceof Refused refused) {
      counterSeen = Math.max(counterSeen, plausible(refused));
    }
    if (answer instanceof FromReplica.InEpoch inEpoch && !inEpoch.epoch().equals(epoch())) {
      return DropReason.OTHER_EPOCH; // L1
    }
    return null;
  }

  /** A counter that was refused as absurd is not used up by asking for the next one (R1.4). */
  private static long plausible(Refused refused) {
    return refused.reason() == RefusalReason.EPOCH ? refused.promised().counter() : 0;
  }

  /** What each answer means in the phase under way. */
  private final class Receiver implements FromReplica.Handler {
    private final long now;
    private final List<Action> out;

    Receiver(long now, List<Action> out) {
      this.now = now;
      this.out = out;
    }

    @Override
    public void onProbeReply(ProbeReply reply) {
      if (takeOver == null) {
        out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        return;
      }
      takeOver.onProbeReply(reply, now, out);
    }

    @Override
    public void onPromise(Promise promise) {
      if (takeOver == null) {
        out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        return;
      }
      takeOver.onPromise(promise, now, out);
      if (takeOver.isDataLost()) {
        String text = "the best log, " + takeOver.best() + ", lacks what is committed through "
            + takeOver.commit();
        out.add(new Action.Alarm(AlarmKind.DATA_LOSS_SUSPECTED, text));
        stepDown(StepDownReason.DATA_LOSS_SUSPECTED, Long.MAX_VALUE, out);
      } else {
        take(now);
      }
    }

    @Override
    public void onFetched(Fetched fetched) {
      if (tenure != null) {
        tenure.onFetched(fetched, now, out);
      } else if (takeOver != null) {
        takeOver.onFetched(fetched, now, out);
        take(now);
      }
    }

    @Override
    public void onAppended(Appended appended) {
      if (tenure == null) {
        out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        return;
      }
      boolean before = tenure.isEstablished();
      tenure.onAppended(appended, now, out);
      if (!before && tenure.isEstablished()) {
        servingSince = now;
      }
    }

    @Override
    public void onMismatched(Mismatched mismatched) {
      if (tenure == null) {
        out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        return;
      }
      tenure.onMismatched(mismatched, now, out);
    }

    @Override
    public void onConfirmed(Confirmed confirmed) {
      if (tenure == null) {
        out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        return;
      }
      tenure.onConfirmed(confirmed, now, out);
    }

    @Override
    public void onRefused(Refused refused) {
      var from = refused.from();
      switch (refused.reason()) {
        case JUMP -> out.add(new Action.Alarm(AlarmKind.EPOCH_JUMP, refused.toString()));
        case QUARANTINED -> {
          if (tenure != null && tenure.marksQuarantined(from)) {
            out.add(new Action.Alarm(AlarmKind.QUARANTINED, from.toString()));
          }
        }
        case EMPTY -> out.add(new Action.Dropped(DropReason.OTHER_PHASE));
        case EPOCH -> {
          boolean member =
              tenure != null ? tenure.isMember(from) : takeOver != null && takeOver.isMember(from);
          if (member && refused.promised().compareTo(refused.epoch()) > 0) { // L11
            stepDown(StepDownReason.DEPOSED, retryAt(now), out);
          } else {
            out.add(new Action.Dropped(member ? DropReason.OTHER_PHASE : DropReason.NOT_A_MEMBER));
          }
        }
      }
    }
  }

  /** L5: with the log to continue at hand, the tenure begins. */
  private void take(long now) {
    if (takeOver != null && takeOver.isComplete()) {
      tenure = new Tenure(clusterId, local.orElse(null), settings, takeOver, now);
      takeOver = null;
      servingSince = Long.MAX_VALUE;
      lost.forEach(tenure::lost);
    }
  }

  private void lead(long now, List<Action> out) {
    if (tenure != null) {
      tenure.flush(now, out);
    }
  }

  /** Repeats what was lost, heartbeats, and notices that nobody answers (L2, L8, L14). */
  public Step tick(long now) {
    var out = new ArrayList<Action>();
    if (takeOver != null) {
      if (takeOver.isStuck(now)) {
        stepDown(StepDownReason.QUORUM_LOST, retryAt(now), out);
      } else {
        takeOver.tick(now, out);
      }
    } else if (tenure != null) {
      if (tenure.hears(heardAt -> now - heardAt < settings.quorumLostMillis())) {
        tenure.tick(now, out);
      } else {
        stepDown(StepDownReason.QUORUM_LOST, retryAt(now), out); // L14
      }
    }
    return step(out);
  }

  /**
   * Appends an entry to the log; {@link #flush} sends it. The caller has checked what L9 says, in that order,
   * and serves (L7).
   *
   * @param clockMillis wall clock; the log time is never below that of the entry before
   * @return where the entry is; acknowledge it when that is committed
   * @throws IllegalStateException unless {@link #isEstablished}, or for a CONFIG entry that may not follow
   *     the one in force, or while that is uncommitted (L13)
   */
  public Lsn propose(EntryKind kind, Bytes body, long clockMillis) {
    return new Lsn(leading().propose(kind, body, clockMillis));
  }

  /** Sends what waits, as far as the pipelines allow: entries (L8) and confirm rounds (S-L). */
  public Step flush(long now) {
    var out = new ArrayList<Action>();
    lead(now, out);
    return step(out);
  }

  /**
   * Joins the next confirm round (S-L, L10): one that has not been sent. Answer when
   * {@link Action.RoundConfirmed} names it or a later one, and the local replica has applied the
   * {@link #commit} of the time of joining; for a negative answer, when also the {@link #lastLsn} of that
   * time is committed.
   *
   * @throws IllegalStateException unless {@link #isEstablished}
   */
  public long joinRound() {
    return leading().joinRound();
  }

  /** The replica's host or actor is gone; nothing is sent to it until it is found, in later attempts either. */
  public void memberLost(ReplicaId member) {
    lost.add(member);
    if (tenure != null) {
      tenure.lost(member);
    }
  }

  /** The replica can be reached (again). */
  public Step memberFound(ReplicaId member, long now) {
    var out = new ArrayList<Action>();
    lost.remove(member);
    if (tenure != null) {
      tenure.found(member, now, out);
    }
    return step(out);
  }

  /** Steps down for a successor (H2): tells the last commit to everybody. */
  public Step stop(long now) {
    var out = new ArrayList<Action>();
    if (tenure != null) {
      tenure.farewell(now, out);
    }
    if (attempt != null) {
      stepDown(StepDownReason.STOPPED, Long.MAX_VALUE, out);
    }
    return step(out);
  }

  private void stepDown(StepDownReason reason, long retryAt, List<Action> out) {
    takeOver = null;
    tenure = null;
    attempt = null;
    out.add(new Action.SteppedDown(reason, retryAt));
  }

  /** L11: the pause doubles with every attempt that did not serve for long. */
  private long retryAt(long now) {
    boolean served =
        tenure != null && tenure.isEstablished() && now - servingSince >= settings.serviceMillis();
    defeats = served ? 0 : Math.min(defeats + 1, 30);
    long pause = Math.min(
        settings.backOffMaxMillis(), settings.backOffMinMillis() << Math.max(0, defeats - 1));
    double jitter = attempt == null ? 0 : attempt.jitter();
    return now + (long) (pause * (1 + jitter) / 2);
  }

  public Phase phase() {
    if (tenure != null) {
      return Phase.LEAD;
    }
    return takeOver == null ? Phase.IDLE : takeOver.phase();
  }

  /** Whether the phase is {@link Phase#LEAD}. */
  public boolean isLeading() {
    return tenure != null;
  }

  /**
   * Whether its own first entry is committed, so that entries may be proposed and rounds joined; then L7 asks
   * only for the local replica to have applied it.
   */
  public boolean isEstablished() {
    return tenure != null && tenure.isEstablished();
  }

  /** Of the attempt under way; zero before it has one. */
  public Epoch epoch() {
    if (tenure != null) {
      return tenure.epoch();
    }
    return takeOver == null ? Epoch.ZERO : takeOver.epoch();
  }

  public Lsn commit() {
    return tenure == null ? Lsn.ZERO : new Lsn(tenure.commit());
  }

  /** The last entry of the log, committed or not; zero if this is no primary. */
  public Lsn lastLsn() {
    return tenure == null ? Lsn.ZERO : new Lsn(tenure.lastLsn());
  }

  /**
   * Entries above {@code after}, adopted ones included, from the memory of the primary.
   *
   * @param after {@link #commit} or more
   * @throws IllegalStateException if this is no primary
   */
  public List<Entry> entriesAfter(Lsn after) {
    return leading().entriesAfter(after.value());
  }

  /**
   * In force in the log, committed or not (C5).
   *
   * @throws IllegalStateException if this is no primary
   */
  public Configuration configuration() {
    return leading().configuration();
  }

  /** Through where {@code member} is known to hold the log durably, in this epoch; zero if nothing is. */
  public Lsn match(ReplicaId member) {
    return new Lsn(leading().match(member));
  }

  private Tenure leading() {
    if (tenure == null) {
      throw new IllegalStateException("no primary of " + partition + " in phase " + phase());
    }
    return tenure;
  }

  private static Step step(List<Action> out) {
    return out.isEmpty() ? Step.NONE : new Step(List.copyOf(out));
  }
}
