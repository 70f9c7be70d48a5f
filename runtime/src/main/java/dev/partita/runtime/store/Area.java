package dev.partita.runtime.store;

/**
 * The part of a node's store that belongs to one replica. A lineage is given to a container once and is
 * inherited through splits; a slot separates the replicas of a node's stores and is never used again
 * (replication.md section 3).
 *
 * @param lineage 0 for the catalog, else from the catalog
 * @param slot from the node's counter
 */
public record Area(long lineage, long slot) {}
