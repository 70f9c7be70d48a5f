/** An Akka Persistence snapshot store on plain files, usable by any Akka application. */
@org.jspecify.annotations.NullMarked
package dev.partita.persistence.snapshot;
