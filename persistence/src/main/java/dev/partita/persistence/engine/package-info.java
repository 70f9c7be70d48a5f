/**
 * The item store of a node, and the only importer of RocksDB. Keys and values are opaque bytes here; what the
 * keys mean is {@link dev.partita.persistence.keyspace}'s business.
 */
package dev.partita.persistence.engine;
