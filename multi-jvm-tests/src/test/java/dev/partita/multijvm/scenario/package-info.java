/** What a node, as it is shipped, must show. */
package dev.partita.multijvm.scenario;
