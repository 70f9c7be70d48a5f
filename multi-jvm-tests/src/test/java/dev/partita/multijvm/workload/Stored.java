package dev.partita.multijvm.workload;

/** An item as a node has it. */
record Stored(Version version, String etag) {}
