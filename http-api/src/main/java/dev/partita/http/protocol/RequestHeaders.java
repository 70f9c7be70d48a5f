package dev.partita.http.protocol;

import akka.http.javadsl.model.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one request that mean something here, found in one pass. Values are raw text; an empty value
 * counts as absent, since the Java SDK sends headers without a value. Of a header that comes twice the first counts.
 */
public final class RequestHeaders {
  public @Nullable String rawRequestUri;
  public @Nullable String host;
  public @Nullable String authorization;
  public @Nullable String msDate;
  public @Nullable String date;
  public @Nullable String activityId;
  public @Nullable String partitionKey;
  public @Nullable String partitionKeyRangeId;
  public @Nullable String startEpk;
  public @Nullable String endEpk;
  public @Nullable String intendedCollectionRid;
  public @Nullable String sessionToken;
  public @Nullable String consistencyLevel;
  public @Nullable String readConsistencyStrategy;
  public @Nullable String ifMatch;
  public @Nullable String ifNoneMatch;
  public @Nullable String continuation;
  public @Nullable String maxItemCount;
  public @Nullable String offerThroughput;
  public @Nullable String autopilotSettings;
  public @Nullable String physicalPartitions;
  public @Nullable String partitaKey;
  public @Nullable String changeFeed;
  public boolean upsert;
  public boolean query;
  public boolean queryPlan;
  public boolean batch;
  public boolean populateQuotaInfo;
  public boolean returnMinimal;

  /** Reads them. */
  public static RequestHeaders of(Iterable<HttpHeader> all) {
    var headers = new RequestHeaders();
    for (HttpHeader header : all) {
      String value = header.value();
      if (!value.isEmpty()) {
        headers.take(header.lowercaseName(), value);
      }
    }
    return headers;
  }

  private void take(String name, String value) {
    switch (name) {
      case HeaderNames.RAW_REQUEST_URI -> rawRequestUri = first(rawRequestUri, value);
      case "host" -> host = first(host, value);
      case HeaderNames.AUTHORIZATION -> authorization = first(authorization, value);
      case HeaderNames.X_MS_DATE -> msDate = first(msDate, value);
      case HeaderNames.DATE -> date = first(date, value);
      case HeaderNames.ACTIVITY_ID -> activityId = first(activityId, value);
      case HeaderNames.PARTITION_KEY -> partitionKey = first(partitionKey, value);
      case HeaderNames.PARTITION_KEY_RANGE_ID ->
        partitionKeyRangeId = first(partitionKeyRangeId, value);
      case HeaderNames.START_EPK -> startEpk = first(startEpk, value);
      case HeaderNames.END_EPK -> endEpk = first(endEpk, value);
      case HeaderNames.INTENDED_COLLECTION_RID ->
        intendedCollectionRid = first(intendedCollectionRid, value);
      case HeaderNames.SESSION_TOKEN -> sessionToken = first(sessionToken, value);
      case HeaderNames.CONSISTENCY_LEVEL -> consistencyLevel = first(consistencyLevel, value);
      case HeaderNames.READ_CONSISTENCY_STRATEGY ->
        readConsistencyStrategy = first(readConsistencyStrategy, value);
      case HeaderNames.IF_MATCH -> ifMatch = first(ifMatch, value);
      case HeaderNames.IF_NONE_MATCH -> ifNoneMatch = first(ifNoneMatch, value);
      case HeaderNames.CONTINUATION -> continuation = first(continuation, value);
      case HeaderNames.MAX_ITEM_COUNT -> maxItemCount = first(maxItemCount, value);
      case HeaderNames.OFFER_THROUGHPUT -> offerThroughput = first(offerThroughput, value);
      case HeaderNames.AUTOPILOT_SETTINGS -> autopilotSettings = first(autopilotSettings, value);
      case HeaderNames.PHYSICAL_PARTITIONS -> physicalPartitions = first(physicalPartitions, value);
      case HeaderNames.PARTITA_KEY -> partitaKey = first(partitaKey, value);
      case HeaderNames.A_IM -> changeFeed = first(changeFeed, value);
      case HeaderNames.IS_UPSERT -> upsert = isTrue(value);
      case HeaderNames.IS_QUERY -> query = isTrue(value);
      case HeaderNames.IS_QUERY_PLAN -> queryPlan = isTrue(value);
      case HeaderNames.IS_BATCH -> batch = isTrue(value);
      case HeaderNames.POPULATE_QUOTA_INFO -> populateQuotaInfo = isTrue(value);
      case HeaderNames.PREFER -> returnMinimal = value.equalsIgnoreCase("return=minimal");
      default -> {
        // The SDKs send some thirty more, for other servers or for statistics.
      }
    }
  }

  private static String first(@Nullable String present, String value) {
    return present == null ? value : present;
  }

  private static boolean isTrue(String value) {
    return value.equalsIgnoreCase("true");
  }
}
