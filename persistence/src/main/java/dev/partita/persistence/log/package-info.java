/**
 * One segmented log per node, with group commit. Knows nothing of Akka.
 *
 * <p>Many histories, one per persistence id, share the log, so that one write and one sync serve all
 * of them. {@link dev.partita.persistence.log.SegmentedLog} is the door; the layout on disk is in
 * {@code Format}.
 */
@org.jspecify.annotations.NullMarked
package dev.partita.persistence.log;
