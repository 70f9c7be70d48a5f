package dev.partita.runtime.api;

import dev.partita.runtime.model.Lsn;

/**
 * Who answered, and at what position.
 *
 * @param rangeId id of the partition key range that served
 * @param lsn of the write, or what the serving replica had applied at a read
 * @param committed highest LSN known to be committed by the server of this answer
 * @param itemLsn LSN of the item's last change, zero when there is none
 * @param charge request units
 */
public record Served(int rangeId, Lsn lsn, Lsn committed, Lsn itemLsn, double charge) {}
