package dev.partita.http.protocol;

/**
 * Every refusal a client can see, with its place in the dialect's status table. What the SDKs do with each is
 * fixed by status and substatus alone, so a new outcome gets a row here before it gets a route.
 */
public enum ErrorCode {
  BAD_REQUEST(400, 0, "BadRequest"),
  /** The partition key in the header is not the one in the item. */
  PARTITION_KEY_MISMATCH(400, 1001, "BadRequest"),
  /** A query over several ranges that the client has to merge itself. */
  CROSS_PARTITION_QUERY(400, 1004, "BadRequest"),
  /** The client means a container of that name which is gone: it re-reads the container and retries. */
  CONTAINER_RECREATED(400, 1024, "BadRequest"),
  UNAUTHORIZED(401, 0, "Unauthorized"),
  FORBIDDEN(403, 0, "Forbidden"),
  NOT_FOUND(404, 0, "NotFound"),
  /** No replica has reached the session token. */
  SESSION_NOT_REACHED(404, 1002, "NotFound"),
  /** The database or container that the path goes through is missing. */
  OWNER_NOT_FOUND(404, 1003, "NotFound"),
  METHOD_NOT_ALLOWED(405, 0, "MethodNotAllowed"),
  REQUEST_TIMEOUT(408, 0, "RequestTimeout"),
  CONFLICT(409, 0, "Conflict"),
  /** The named partition key range is gone: only ever answered to a request that names one. */
  RANGE_GONE(410, 1002, "Gone"),
  PRECONDITION_FAILED(412, 0, "PreconditionFailed"),
  TOO_LARGE(413, 0, "RequestEntityTooLarge"),
  URI_TOO_LONG(414, 0, "BadRequest"),
  TOO_MANY_REQUESTS(429, 3200, "TooManyRequests"),
  HEADERS_TOO_LARGE(431, 0, "BadRequest"),
  RETRY_WITH(449, 0, "RetryWith"),
  INTERNAL_SERVER_ERROR(500, 0, "InternalServerError"),
  SERVICE_UNAVAILABLE(503, 0, "ServiceUnavailable");

  private final int status;
  private final int substatus;
  private final String text;

  ErrorCode(int status, int substatus, String text) {
    this.status = status;
    this.substatus = substatus;
    this.text = text;
  }

  public int status() {
    return status;
  }

  /** Value of {@code x-ms-substatus}. */
  public int substatus() {
    return substatus;
  }

  /** Value of {@code code} in the error body. */
  public String text() {
    return text;
  }
}
