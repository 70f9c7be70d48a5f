/** A small blocking HTTP/1.1 client that signs its requests: what the commands know of a node. */
package dev.partita.http.cli.client;
