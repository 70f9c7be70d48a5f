/**
 * {@code partita bench}: a closed loop over HTTP from this process against a server in another, with yardsticks taken in
 * the same run. Throughput depends on the machine and its mood; server CPU per operation hardly does.
 */
package dev.partita.http.cli.bench;
