/**
 * The command line: {@code partita serve}, {@code load}, {@code status} and {@code bench}. What a person did wrong is
 * answered with one line; what the commands do goes through the same HTTP dialect as every other client's requests.
 */
package dev.partita.http.cli;
