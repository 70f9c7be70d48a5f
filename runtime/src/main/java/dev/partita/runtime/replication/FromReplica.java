package dev.partita.runtime.replication;

import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import java.util.List;
import java.util.Optional;

/** What a replica answers to the primary (replication.md 4.5). */
public sealed interface FromReplica {
  Uid clusterId();

  /** Who answers. */
  ReplicaId from();

  void accept(Handler handler);

  /** A case for each answer: a new one does not compile until it is handled. */
  interface Handler {
    void onProbeReply(ProbeReply reply);

    void onPromise(Promise promise);

    void onRefused(Refused refused);

    void onFetched(Fetched fetched);

    void onAppended(Appended appended);

    void onMismatched(Mismatched mismatched);

    void onConfirmed(Confirmed confirmed);
  }

  /**
   * What a replica knew when it was probed.
   *
   * @param attempt of the probe
   * @param config in force in its log; absent if it was never installed
   * @param heardAgoMillis since it last heard a primary; {@link Long#MAX_VALUE} if never
   */
  record ProbeReply(
      Uid clusterId,
      ReplicaId from,
      Uid attempt,
      Epoch promised,
      Epoch lastEpoch,
      Lsn lastLsn,
      Optional<Configuration> config,
      Lsn commit,
      long heardAgoMillis)
      implements FromReplica {
    @Override
    public void accept(Handler handler) {
      handler.onProbeReply(this);
    }
  }

  /** An answer to a request of the primary of {@link #epoch}; useless to any other. */
  sealed interface InEpoch extends FromReplica {
    Epoch epoch();
  }

  /**
   * Nothing below {@code epoch} will be accepted; this is the log (R1.6).
   *
   * @param lastLogTime log time of the last entry, in milliseconds
   * @param config in force in the log; absent if the replica was never installed
   * @param configLsn where that configuration is
   */
  record Promise(
      Uid clusterId,
      ReplicaId from,
      Epoch epoch,
      Epoch lastEpoch,
      Lsn lastLsn,
      long lastLogTime,
      Optional<Configuration> config,
      Lsn configLsn,
      Lsn commit)
      implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onPromise(this);
    }
  }

  /**
   * The request was not accepted.
   *
   * @param epoch of the request
   * @param promised what the replica has promised
   */
  record Refused(Uid clusterId, ReplicaId from, Epoch epoch, Epoch promised, RefusalReason reason)
      implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onRefused(this);
    }
  }

  /**
   * Entries of the log from {@code fromLsn} on, or {@code base} if the log no longer reaches back that far.
   *
   * @param prevEpoch epoch of the entry at {@code fromLsn} - 1; of the base if that is answered
   * @param entries contiguous from {@code fromLsn}; empty at the end of the log
   * @param base present if {@code fromLsn} lies before everything retained
   */
  record Fetched(
      Uid clusterId,
      ReplicaId from,
      Epoch epoch,
      Lsn fromLsn,
      Epoch prevEpoch,
      List<Entry> entries,
      Optional<Base> base)
      implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onFetched(this);
    }
  }

  /**
   * The log up to {@code match} is durable here and the same as the primary's (R2.8).
   *
   * @param round of the Append; -1 for an Install
   */
  record Appended(Uid clusterId, ReplicaId from, Epoch epoch, Lsn match, long round)
      implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onAppended(this);
    }
  }

  /**
   * The Append does not fit the log (R2.4, R2.6); nothing was cut.
   *
   * @param prevLsn of the Append
   * @param hint the log may be equal up to here
   * @param needSnapshot the replica was never installed
   */
  record Mismatched(
      Uid clusterId,
      ReplicaId from,
      Epoch epoch,
      Lsn prevLsn,
      Lsn hint,
      boolean needSnapshot,
      long round)
      implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onMismatched(this);
    }
  }

  /** Nothing above {@code epoch} was promised when the request of {@code round} arrived (R3). */
  record Confirmed(Uid clusterId, ReplicaId from, Epoch epoch, long round) implements InEpoch {
    @Override
    public void accept(Handler handler) {
      handler.onConfirmed(this);
    }
  }
}
