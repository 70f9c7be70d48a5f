package dev.partita.http.protocol;

/** Names of the dialect's headers, in the lower case in which they are matched and sent. */
public final class HeaderNames {
  public static final String ACTIVITY_ID = "x-ms-activity-id";
  public static final String ALT_CONTENT_PATH = "x-ms-alt-content-path";
  public static final String A_IM = "a-im";
  public static final String AUTHORIZATION = "authorization";
  public static final String AUTOPILOT_SETTINGS = "x-ms-cosmos-offer-autopilot-settings";
  public static final String CONSISTENCY_LEVEL = "x-ms-consistency-level";
  public static final String CONTENT_PATH = "x-ms-content-path";
  public static final String CONTINUATION = "x-ms-continuation";
  public static final String DATE = "date";
  public static final String END_EPK = "x-ms-end-epk";
  public static final String ETAG = "etag";
  public static final String GATEWAY_VERSION = "x-ms-gatewayversion";
  public static final String GLOBAL_COMMITTED_LSN = "x-ms-global-committed-lsn";
  public static final String IF_MATCH = "if-match";
  public static final String IF_NONE_MATCH = "if-none-match";
  public static final String INDEX_PROGRESS =
      "x-ms-documentdb-collection-index-transformation-progress";
  public static final String INTENDED_COLLECTION_RID = "x-ms-cosmos-intended-collection-rid";
  public static final String IS_BATCH = "x-ms-cosmos-is-batch-request";
  public static final String IS_QUERY = "x-ms-documentdb-isquery";
  public static final String IS_QUERY_PLAN = "x-ms-cosmos-is-query-plan-request";
  public static final String IS_UPSERT = "x-ms-documentdb-is-upsert";
  public static final String ITEM_COUNT = "x-ms-item-count";
  public static final String ITEM_LSN = "x-ms-item-lsn";
  public static final String LSN = "lsn";
  public static final String MAX_ITEM_COUNT = "x-ms-max-item-count";
  public static final String OFFER_THROUGHPUT = "x-ms-offer-throughput";
  public static final String PARTITA_KEY = "x-partita-key";
  public static final String PARTITION_KEY = "x-ms-documentdb-partitionkey";
  public static final String PARTITION_KEY_RANGE_ID = "x-ms-documentdb-partitionkeyrangeid";
  public static final String PHYSICAL_PARTITIONS = "x-partita-physical-partitions";
  public static final String POPULATE_QUOTA_INFO = "x-ms-documentdb-populatequotainfo";
  public static final String PREFER = "prefer";

  /** Akka puts it first, with the request target as it came; a client's own header of that name comes later. */
  public static final String RAW_REQUEST_URI = "raw-request-uri";

  public static final String READ_CONSISTENCY_STRATEGY = "x-ms-cosmos-read-consistency-strategy";
  public static final String REQUEST_CHARGE = "x-ms-request-charge";
  public static final String REQUEST_DURATION = "x-ms-request-duration-ms";
  public static final String RESOURCE_QUOTA = "x-ms-resource-quota";
  public static final String RESOURCE_USAGE = "x-ms-resource-usage";
  public static final String RETRY_AFTER = "x-ms-retry-after-ms";
  public static final String SCHEMA_VERSION = "x-ms-schemaversion";
  public static final String SERVICE_VERSION = "x-ms-serviceversion";
  public static final String SESSION_TOKEN = "x-ms-session-token";
  public static final String START_EPK = "x-ms-start-epk";
  public static final String SUBSTATUS = "x-ms-substatus";
  public static final String VERSION = "x-ms-version";
  public static final String X_MS_DATE = "x-ms-date";

  private HeaderNames() {}
}
