/** Sockets, certificates, settings and wiring. */
package dev.partita.http.server;
