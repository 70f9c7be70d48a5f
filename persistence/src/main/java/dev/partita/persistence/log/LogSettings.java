package dev.partita.persistence.log;

import java.nio.file.Path;

/**
 * How a {@link SegmentedLog} uses its directory and its memory.
 *
 * @param directory where the segments live; created if missing, owned by one log at a time
 * @param segmentBytes size of a segment file, allocated in one piece; 8 KiB to 1 GiB
 * @param batchBytes a flush takes no more than this from the queue, unless one write is larger
 * @param queueBytes writes above this many waiting bytes are refused with {@link
 *     LogException.Overloaded}
 * @param compactAtBytes above this many bytes of segments, live records of the oldest segment are
 *     copied forward, as long as at least half of the log is garbage
 * @param compactBytesPerSecond upper bound on the rate of that copying
 * @param replayChunkBytes a replay reads about this much before another replay has its turn
 * @param reserveBytes a segment is allocated only if this much stays free for others on the volume
 */
public record LogSettings(
    Path directory,
    int segmentBytes,
    int batchBytes,
    long queueBytes,
    long compactAtBytes,
    long compactBytesPerSecond,
    int replayChunkBytes,
    long reserveBytes) {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  public LogSettings {
    require(segmentBytes >= 8 * KIB && segmentBytes <= 1 << 30, "segmentBytes", segmentBytes);
    require(segmentBytes % Format.ALIGNMENT == 0, "segmentBytes", segmentBytes);
    require(batchBytes >= KIB, "batchBytes", batchBytes);
    require(queueBytes >= KIB, "queueBytes", queueBytes);
    require(compactAtBytes >= 0, "compactAtBytes", compactAtBytes);
    require(compactBytesPerSecond >= KIB, "compactBytesPerSecond", compactBytesPerSecond);
    require(replayChunkBytes >= KIB, "replayChunkBytes", replayChunkBytes);
    require(reserveBytes >= 0, "reserveBytes", reserveBytes);
  }

  /** Segments of 64 MiB, flushes of 4 MiB, a queue of 64 MiB, compaction above 1 GiB at 32 MiB/s. */
  public static LogSettings in(Path directory) {
    return new LogSettings(
        directory, 64 * MIB, 4 * MIB, 64L * MIB, 1024L * MIB, 32L * MIB, 512 * KIB, 16L * MIB);
  }

  public LogSettings withSegmentBytes(int bytes) {
    return new LogSettings(
        directory,
        bytes,
        batchBytes,
        queueBytes,
        compactAtBytes,
        compactBytesPerSecond,
        replayChunkBytes,
        reserveBytes);
  }

  public LogSettings withBatchBytes(int bytes) {
    return new LogSettings(
        directory,
        segmentBytes,
        bytes,
        queueBytes,
        compactAtBytes,
        compactBytesPerSecond,
        replayChunkBytes,
        reserveBytes);
  }

  public LogSettings withQueueBytes(long bytes) {
    return new LogSettings(
        directory,
        segmentBytes,
        batchBytes,
        bytes,
        compactAtBytes,
        compactBytesPerSecond,
        replayChunkBytes,
        reserveBytes);
  }

  public LogSettings withCompaction(long atBytes, long bytesPerSecond) {
    return new LogSettings(
        directory,
        segmentBytes,
        batchBytes,
        queueBytes,
        atBytes,
        bytesPerSecond,
        replayChunkBytes,
        reserveBytes);
  }

  public LogSettings withReplayChunkBytes(int bytes) {
    return new LogSettings(
        directory,
        segmentBytes,
        batchBytes,
        queueBytes,
        compactAtBytes,
        compactBytesPerSecond,
        bytes,
        reserveBytes);
  }

  public LogSettings withReserveBytes(long bytes) {
    return new LogSettings(
        directory,
        segmentBytes,
        batchBytes,
        queueBytes,
        compactAtBytes,
        compactBytesPerSecond,
        replayChunkBytes,
        bytes);
  }

  /** The largest write that fits into a segment, with all its overhead. */
  int largestWriteBytes() {
    return segmentBytes
        - Format.SEGMENT_HEADER_BYTES
        - Format.BATCH_OVERHEAD_BYTES
        - Format.MARKER_BYTES;
  }

  private static void require(boolean holds, String name, long value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is out of range: " + value);
    }
  }
}
