package dev.partita.persistence.log;

import dev.partita.persistence.log.LogFiles.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Files that wait to become segments, zero-filled or used before, since overwriting is several times
 * cheaper than appending. Allocating them is the only moment at which the log needs room on the disk.
 *
 * <p>The last spare is kept for writes that do not grow the log: deletions, events that replace a
 * history, and the copies and notes by which older segments become free. So a full disk never keeps the log from shrinking.
 */
final class SpareSegments {
  static final String PREFIX = "spare-";

  private static final String SUFFIX = ".seg";
  private static final String SEGMENT_PREFIX = "log-";
  private static final int WANTED = 2;
  private static final int KEPT_MAX = 4;
  private static final int FILL_BYTES = 1 << 20;

  private final LogFiles files;
  private final LogSettings settings;
  private final LogFaults faults;
  private final LongSupplier salts;
  private final AtomicInteger names = new AtomicInteger();
  private final ConcurrentLinkedDeque<Spare> spares = new ConcurrentLinkedDeque<>();
  private final ReentrantLock allocating = new ReentrantLock();

  private record Spare(String name, LogFile file) {}

  SpareSegments(LogFiles files, LogSettings settings, LogFaults faults, LongSupplier salts) {
    this.files = files;
    this.settings = settings;
    this.faults = faults;
    this.salts = salts;
  }

  static String segmentName(int number) {
    return "%s%010d%s".formatted(SEGMENT_PREFIX, number, SUFFIX);
  }

  static boolean isSegmentName(String name) {
    return name.startsWith(SEGMENT_PREFIX) && name.endsWith(SUFFIX);
  }

  /** Takes over what an earlier run left behind; a file that was not finished is deleted. */
  void adopt(String name) throws IOException {
    var file = files.open(name);
    names.accumulateAndGet(numberIn(name), Math::max);
    if (file.sizeBytes() == settings.segmentBytes() && spares.size() < KEPT_MAX) {
      spares.add(new Spare(name, file));
    } else {
      file.close();
      files.delete(name);
    }
  }

  /** Allocates ahead, so that the committer need not; with no room, the committer will say so. */
  void replenish() throws IOException {
    try {
      allocateUpTo(WANTED);
    } catch (LogException.DiskFull laterOrNever) {
      // Not an error until a write needs the segment, which tries again and fails if it must.
    }
  }

  /**
   * Turns a spare into a segment, durably.
   *
   * @param grows whether it is for writes that add more than they help to free
   * @throws LogException.DiskFull if there is none to be had
   */
  Segment activate(int number, long firstBatch, int reclaimedThrough, boolean grows)
      throws IOException {
    allocateUpTo(grows && number > 1 ? 2 : 1);
    var spare = spares.remove();
    var header = new Format.SegmentHeader(
        settings.segmentBytes(), number, firstBatch, reclaimedThrough, freshSalt());
    spare.file.write(Format.encode(header), 0);
    spare.file.force();
    var name = segmentName(number);
    files.rename(spare.name, name);
    files.syncDirectory();
    return new Segment(header, name, spare.file);
  }

  /** Gives the file of a retired segment back. */
  void recycle(Segment segment) throws IOException {
    if (segment.header.bytes() != settings.segmentBytes() || spares.size() >= KEPT_MAX) {
      segment.file.close();
      files.delete(segment.name);
      files.syncDirectory();
      return;
    }
    var name = freshName();
    files.rename(segment.name, name);
    files.syncDirectory(); // before anyone overwrites the header: the old name must not come back
    spares.add(new Spare(name, segment.file));
  }

  void close() throws IOException {
    for (var spare : spares) {
      spare.file.close();
    }
  }

  private void allocateUpTo(int count) throws IOException {
    while (spares.size() < count) {
      allocating.lock();
      try {
        if (spares.size() < count) {
          spares.add(allocate());
        }
      } finally {
        allocating.unlock();
      }
    }
  }

  private Spare allocate() throws IOException {
    if (faults.isDiskFull()
        || files.usableBytes() < settings.segmentBytes() + settings.reserveBytes()) {
      throw noRoom(null);
    }
    var name = freshName();
    var file = files.create(name);
    try {
      var zeros = ByteBuffer.allocateDirect(Math.min(FILL_BYTES, settings.segmentBytes()));
      for (long at = 0; at < settings.segmentBytes(); at += zeros.capacity()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), settings.segmentBytes() - at));
        file.write(zeros, at);
      }
      file.force();
      return new Spare(name, file);
    } catch (IOException noSpaceLeft) {
      file.close();
      files.delete(name);
      throw noRoom(noSpaceLeft);
    }
  }

  private LogException.DiskFull noRoom(@Nullable IOException cause) {
    return new LogException.DiskFull(
        "disk full: no room for a log segment of %d bytes in %s%s; free some space, writes then go on"
            .formatted(
                settings.segmentBytes(),
                settings.directory(),
                cause == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }

  private String freshName() {
    return "%s%08d%s".formatted(PREFIX, names.incrementAndGet(), SUFFIX);
  }

  private static int numberIn(String name) {
    try {
      return Integer.parseInt(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
    } catch (NumberFormatException | IndexOutOfBoundsException notOurs) {
      return 0;
    }
  }

  private long freshSalt() {
    long salt = salts.getAsLong();
    return salt == 0 ? 1 : salt;
  }
}
