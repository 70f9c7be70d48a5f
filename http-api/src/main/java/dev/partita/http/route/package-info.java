/** One class per resource of the dialect: reads a request, calls the runtime, words the answer. */
package dev.partita.http.route;
