/** Store keys as bytes, in an order that lets one scan answer for a range of the keyspace. */
package dev.partita.persistence.keyspace;
