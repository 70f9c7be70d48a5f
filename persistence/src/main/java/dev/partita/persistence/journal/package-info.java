/** An Akka Persistence journal over the segmented log, usable by any Akka application. */
@org.jspecify.annotations.NullMarked
package dev.partita.persistence.journal;
