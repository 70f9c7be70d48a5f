/**
 * The protocol of one replica set: {@link dev.partita.runtime.replication.Replica}, which accepts, and
 * {@link dev.partita.runtime.replication.Primary}, which proposes. Pure: inputs and time come in, decisions
 * and steps go out. Rule names such as R2.7 or L4 are those of the protocol description.
 */
package dev.partita.runtime.replication;
