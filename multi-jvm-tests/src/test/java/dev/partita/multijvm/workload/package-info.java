/** Clients that remember what they were told, so that a node can be held to it. */
package dev.partita.multijvm.workload;
