/** The data directory of a node: who it belongs to, and what it must never forget. */
package dev.partita.persistence.directory;
