package dev.partita.http.server;

import akka.event.LoggingAdapter;
import akka.http.ParsingErrorHandler;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.scaladsl.model.ErrorInfo;
import akka.http.scaladsl.model.StatusCode;
import akka.http.scaladsl.settings.ServerSettings;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.Json;

/**
 * Words what is no HTTP request, or one beyond the limits, as JSON. Akka makes it by its class name. An unknown
 * method or version of the protocol is a mistake of the client, so it is a 4xx here, where Akka has 501 and 505.
 */
public final class JsonParsingErrorHandler extends ParsingErrorHandler {
  @Override
  public HttpResponse handle(
      StatusCode status, ErrorInfo error, LoggingAdapter log, ServerSettings settings) {
    log.debug("Illegal request, answered {}: {}", status.intValue(), error.formatPretty());
    ErrorCode code = switch (status.intValue()) {
      case 413 -> ErrorCode.TOO_LARGE;
      case 414 -> ErrorCode.URI_TOO_LONG;
      case 431 -> ErrorCode.HEADERS_TOO_LARGE;
      case 501 -> ErrorCode.METHOD_NOT_ALLOWED;
      default -> ErrorCode.BAD_REQUEST;
    };
    var body = new StringBuilder("{\"code\":\"").append(code.text()).append("\",\"message\":");
    Json.quote(body, "The request is not valid HTTP: " + error.summary());
    return HttpResponse.create()
        .withStatus(StatusCodes.get(code.status()))
        .withEntity(ContentTypes.APPLICATION_JSON, body.append('}').toString());
  }
}
