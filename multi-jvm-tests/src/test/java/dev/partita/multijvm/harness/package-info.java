/** Starts the packaged process, and does to it what operating systems do. */
package dev.partita.multijvm.harness;
