/**
 * The items of one logical partition as plain values and rules: a write in, a decision out, and the bytes
 * that a decision leaves in the log and in the store. Knows no actor, clock, disk or random source.
 */
package dev.partita.runtime.item;
