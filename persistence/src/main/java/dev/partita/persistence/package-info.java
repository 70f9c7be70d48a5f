/** Root of the module. */
package dev.partita.persistence;
