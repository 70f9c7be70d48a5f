/**
 * {@code partita load}. Every line is sent as an upsert, so that sending a line again, after an answer that never came or
 * after an interruption, cannot make a second item. A checkpoint only saves time: it tells the next run where to go on.
 */
package dev.partita.http.cli.load;
