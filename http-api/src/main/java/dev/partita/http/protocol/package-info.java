/** The dialect's grammar: headers, statuses, signatures, tokens, names, and JSON at the edges. No I/O, no runtime calls. */
package dev.partita.http.protocol;
