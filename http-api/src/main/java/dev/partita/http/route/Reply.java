package dev.partita.http.route;

import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.ResponseEntity;
import akka.http.javadsl.model.StatusCode;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.util.ByteString;
import com.fasterxml.jackson.databind.JsonNode;
import dev.partita.http.protocol.ErrorCode;
import dev.partita.http.protocol.HeaderNames;
import dev.partita.http.protocol.Json;
import dev.partita.http.protocol.Refusal;
import dev.partita.runtime.api.Served;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.SessionToken;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the headers of one answer and sends it. Headers whose values repeat are made once for all answers: of the
 * rest a point read makes eight.
 */
final class Reply {
  static final double CATALOG_CHARGE = 1;

  private static final HttpHeader VERSION = RawHeader.create(HeaderNames.VERSION, "2020-07-15");
  private static final HttpHeader SERVICE_VERSION =
      RawHeader.create(HeaderNames.SERVICE_VERSION, "version=2.14.0.0");
  private static final HttpHeader GATEWAY_VERSION =
      RawHeader.create(HeaderNames.GATEWAY_VERSION, "2.0.0");
  private static final HttpHeader SCHEMA_VERSION =
      RawHeader.create(HeaderNames.SCHEMA_VERSION, "1.17");
  private static final HttpHeader SUBSTATUS_ZERO = RawHeader.create(HeaderNames.SUBSTATUS, "0");
  private static final HttpHeader[] CHARGES = prebuilt(HeaderNames.REQUEST_CHARGE, 64);
  private static final HttpHeader[] RANGES = prebuilt(HeaderNames.PARTITION_KEY_RANGE_ID, 256);
  private static final StatusCode RETRY_WITH = StatusCodes.custom(
      449, "Retry With", "A concurrent write was in the way; retry.", false, true);

  private final Exchange exchange;
  private final List<HttpHeader> headers = new ArrayList<>(20);

  Reply(Exchange exchange) {
    this.exchange = exchange;
    headers.add(VERSION);
    headers.add(SERVICE_VERSION);
    headers.add(GATEWAY_VERSION);
    headers.add(SCHEMA_VERSION);
    with(HeaderNames.ACTIVITY_ID, exchange.activityId());
  }

  private static HttpHeader[] prebuilt(String name, int count) {
    var headers = new HttpHeader[count];
    for (int i = 0; i < count; i++) {
      headers[i] = RawHeader.create(name, Integer.toString(i));
    }
    return headers;
  }

  Reply with(HttpHeader header) {
    headers.add(header);
    return this;
  }

  Reply with(String name, String value) {
    return with(RawHeader.create(name, value));
  }

  /** Who answered, at what position, for how much. */
  Reply served(Served served) {
    return position(served).charge(served.charge());
  }

  /** Who answered, and at what position. */
  Reply position(Served served) {
    String lsn = Long.toString(served.lsn().value());
    int range = served.rangeId();
    with(
        range < RANGES.length
            ? RANGES[range]
            : RawHeader.create(HeaderNames.PARTITION_KEY_RANGE_ID, Integer.toString(range)));
    with(HeaderNames.SESSION_TOKEN, SessionToken.format(range, served.lsn()));
    with(HeaderNames.LSN, lsn);
    with(HeaderNames.GLOBAL_COMMITTED_LSN, Long.toString(served.committed().value()));
    if (served.itemLsn().value() > 0) {
      with(HeaderNames.ITEM_LSN, Long.toString(served.itemLsn().value()));
    }
    return this;
  }

  /** Request units, with two decimals at most. */
  Reply charge(double units) {
    long hundredths = Math.round(units * 100);
    long whole = hundredths / 100;
    if (hundredths % 100 == 0 && whole >= 0 && whole < CHARGES.length) {
      return with(CHARGES[(int) whole]);
    }
    return with(HeaderNames.REQUEST_CHARGE, decimal(hundredths, 100));
  }

  HttpResponse json(int status, JsonNode body) {
    return json(status, Bytes.utf8(body.toString()));
  }

  HttpResponse json(int status, Bytes body) {
    return send(
        status,
        HttpEntities.create(
            ContentTypes.APPLICATION_JSON,
            ByteString.fromArrayUnsafe(body.array(), body.offset(), body.length())));
  }

  HttpResponse text(ContentType.NonBinary type, String text) {
    return send(200, HttpEntities.create(type, text));
  }

  HttpResponse empty(int status) {
    return send(status, HttpEntities.EMPTY);
  }

  HttpResponse refuse(Refusal refusal) {
    refusal
        .retryAfter()
        .ifPresent(
            wait -> with(HeaderNames.RETRY_AFTER, Long.toString(Math.max(1, wait.toMillis()))));
    return error(refusal.code(), refusal.text());
  }

  HttpResponse error(ErrorCode code, String text) {
    with(
        code.substatus() == 0
            ? SUBSTATUS_ZERO
            : RawHeader.create(HeaderNames.SUBSTATUS, Integer.toString(code.substatus())));
    return json(
        code.status(),
        errorBody(code, text, exchange.activityId(), exchange.path().decoded()));
  }

  /** The body of an error, in the words of the service. */
  private static Bytes errorBody(ErrorCode code, String text, String activityId, String path) {
    var errors = new StringBuilder(text.length() + 16);
    Json.quote(errors, text);
    var body = new StringBuilder(text.length() + 160)
        .append("{\"code\":\"")
        .append(code.text())
        .append("\",\"message\":");
    Json.quote(
        body,
        "Message: {\"Errors\":[" + errors + "]}\r\nActivityId: " + activityId + ", Request URI: /"
            + path);
    return Bytes.utf8(body.append('}').toString());
  }

  private HttpResponse send(int status, ResponseEntity entity) {
    long micros = (System.nanoTime() - exchange.startedNanos()) / 1_000;
    with(HeaderNames.REQUEST_DURATION, decimal(Math.max(0, micros), 1_000));
    return HttpResponse.create()
        .withStatus(status == RETRY_WITH.intValue() ? RETRY_WITH : StatusCodes.get(status))
        .withEntity(entity)
        .addHeaders(headers);
  }

  /** {@code value / unit} with as many decimals as the unit has zeros. */
  private static String decimal(long value, int unit) {
    var text = new StringBuilder(16).append(value / unit).append('.');
    long rest = value % unit;
    for (int digit = unit / 10; digit > 0; digit /= 10) {
      text.append((char) ('0' + rest / digit % 10));
    }
    return text.toString();
  }
}
