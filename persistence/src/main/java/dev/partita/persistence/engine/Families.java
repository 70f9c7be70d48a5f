package dev.partita.persistence.engine;

/** The numbers RocksDB gave to the column families. */
record Families(int items, int logicals, int replicas) {}
