/** One answer out of many partition key ranges. */
package dev.partita.http.fanout;
