package dev.partita.runtime.actor;

import dev.partita.runtime.model.Lsn;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * What a primary owes an answer: writes that wait for their commit, and reads that wait for a confirm round
 * and for the commit of what they rest on. Both are answered in the order in which they came.
 */
final class Outstanding {
  private static final long NO_ROUND = -1;

  private final ArrayDeque<PendingWrite> writes = new ArrayDeque<>();
  private final ArrayDeque<Read> reads = new ArrayDeque<>();
  private long confirmedRound = NO_ROUND;

  private record Read(long round, Lsn commit, Runnable answer, Runnable fail) {}

  /** A write that was just appended. */
  void add(PendingWrite write) {
    writes.add(write);
  }

  /**
   * A read that rests on everything up to {@code commit}.
   *
   * @param round the confirm round that it joined
   * @param answer to run when both have come
   * @param fail to run instead when the attempt ends
   */
  void add(long round, Lsn commit, Runnable answer, Runnable fail) {
    reads.add(new Read(round, commit, answer, fail));
  }

  /**
   * The log is committed.
   *
   * @param answered gets each write before its caller does
   */
  void committed(Lsn through, Consumer<PendingWrite> answered) {
    for (PendingWrite first = writes.peek();
        first != null && !first.lsn().isAfter(through);
        first = writes.peek()) {
      writes.remove();
      answered.accept(first);
      first.reply().complete(first.answer(through));
    }
    answerReads(through);
  }

  /** A read quorum has confirmed the round. */
  void confirmed(long round, Lsn commit) {
    confirmedRound = round;
    answerReads(commit);
  }

  private void answerReads(Lsn commit) {
    for (Read first = reads.peek();
        first != null && first.round <= confirmedRound && !first.commit.isAfter(commit);
        first = reads.peek()) {
      reads.remove();
      first.answer.run();
    }
  }

  /** The attempt is over: nobody knows what became of the writes (L12). */
  void end(Consumer<PendingWrite> write) {
    writes.forEach(write);
    writes.clear();
    reads.forEach(read -> read.fail.run());
    reads.clear();
    confirmedRound = NO_ROUND;
  }
}
