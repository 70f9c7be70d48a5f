package dev.partita.http.route;

import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.headers.RawHeader;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.KeyPaths;
import dev.partita.http.protocol.RequestPath;
import dev.partita.runtime.api.Container;

/** A container of the catalog with what every item request would otherwise work out again. */
record ContainerView(
    Container container, KeyPaths keyPaths, HttpHeader contentPath, HttpHeader altContentPath) {
  static ContainerView of(Container container) {
    return new ContainerView(
        container,
        KeyPaths.of(container.partitionKey().paths()),
        RawHeader.create(HeaderNames.CONTENT_PATH, container.rid()),
        RawHeader.create(
            HeaderNames.ALT_CONTENT_PATH,
            "dbs/" + RequestPath.encode(container.databaseId()) + "/colls/"
                + RequestPath.encode(container.id())));
  }

  /** An answer about the container's items: its owner is the container. */
  Reply reply(Exchange exchange) {
    return new Reply(exchange).with(contentPath).with(altContentPath);
  }
}
