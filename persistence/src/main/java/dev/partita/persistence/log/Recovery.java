package dev.partita.persistence.log;

import dev.partita.persistence.log.LogFiles.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Rebuilds segments and index from the files. An incomplete last batch is cut off, since it was never
 * acknowledged; anything else that is not as it was written ends in {@link LogException.Damaged}.
 */
final class Recovery {
  private final LogFiles files;
  private final Segments segments;
  private final SpareSegments spares;
  private final Index index;
  private int reclaimedThrough;

  Recovery(LogFiles files, Segments segments, SpareSegments spares, Index index) {
    this.files = files;
    this.segments = segments;
    this.spares = spares;
    this.index = index;
  }

  /** Where the log goes on: an offset in the active segment, and the next batch. */
  SegmentScanner.End run() throws IOException {
    for (String name : files.list()) {
      if (SpareSegments.isSegmentName(name)) {
        segments.add(open(name));
      } else if (name.startsWith(SpareSegments.PREFIX)) {
        spares.adopt(name);
      }
    }
    if (segments.count() == 0) {
      segments.add(spares.activate(1, 1, 0, true));
    }
    return scan();
  }

  /** Segments up to this number may be gone. */
  int reclaimedThrough() {
    return reclaimedThrough;
  }

  private SegmentScanner.End scan() throws IOException {
    var scanner = new SegmentScanner(files, this::replay);
    var end = new SegmentScanner.End(Format.SEGMENT_HEADER_BYTES, 0);
    Segment previous = null;
    for (Segment segment : segments.all()) {
      if (previous != null) {
        requireContinuity(scanner, previous, end, segment);
      }
      reclaimedThrough = Math.max(reclaimedThrough, segment.header.reclaimedThrough());
      end = scanner.scan(segment);
      previous = segment;
    }
    scanner.requireNothingAfter(segments.active(), end);
    if (segments.oldest().number() > reclaimedThrough + 1) {
      throw new LogException.Damaged(
          files.path(SpareSegments.segmentName(reclaimedThrough + 1)), 0, "the segment is missing");
    }
    return end;
  }

  private void requireContinuity(
      SegmentScanner scanner, Segment previous, SegmentScanner.End end, Segment next) {
    if (next.number() != previous.number() + 1) {
      throw new LogException.Damaged(
          files.path(SpareSegments.segmentName(previous.number() + 1)),
          0,
          "the segment is missing");
    }
    if (next.header.firstBatch() != end.nextBatch()) {
      throw scanner.damaged(
          previous,
          end.offset(),
          "batch %d is unreadable, though later ones were written".formatted(end.nextBatch()));
    }
  }

  private void replay(
      Segment segment,
      byte kind,
      byte flags,
      String persistenceId,
      long sequenceNr,
      long control,
      int offset,
      int length) {
    if (kind == Format.RECLAIM) {
      reclaimedThrough = Math.max(reclaimedThrough, Math.toIntExact(sequenceNr));
      return;
    }
    index.apply(
        index.of(persistenceId),
        kind,
        flags,
        sequenceNr,
        control,
        segment.number(),
        offset,
        length);
  }

  private Segment open(String name) throws IOException {
    LogFile file = files.open(name);
    var block = ByteBuffer.allocate(Format.SEGMENT_HEADER_BYTES);
    file.read(block, 0);
    var header = Format.decodeSegmentHeader(block.flip(), files.path(name));
    if (!name.equals(SpareSegments.segmentName(header.number()))) {
      throw new LogException.Damaged(
          files.path(name), 0, "the header is that of segment " + header.number());
    }
    if (file.sizeBytes() != header.bytes()) {
      throw new LogException.Damaged(
          files.path(name),
          Math.min(file.sizeBytes(), header.bytes()),
          "the file has %d bytes instead of %d".formatted(file.sizeBytes(), header.bytes()));
    }
    return new Segment(header, name, file);
  }
}
