package dev.partita.http.route;

import akka.http.javadsl.model.HttpResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.http.protocol.ConsistencyHeaders;
import dev.partita.http.protocol.Json;
import dev.partita.runtime.api.ReadConsistency.Level;

/**
 * The account document. SDKs send every later request to the endpoint it names, so that is the one by which the
 * client reached us: behind a mapped port, the mapped one.
 */
final class AccountRoute {
  private static final String REGION = "Local";
  private static final String QUERY_ENGINE = Json.object()
      .put("maxSqlQueryInputLength", 262_144)
      .put("maxJoinsPerSqlQuery", 5)
      .put("maxLogicalAndPerSqlQuery", 500)
      .put("maxLogicalOrPerSqlQuery", 500)
      .put("maxUdfRefPerSqlQuery", 10)
      .put("maxInExpressionItemsCount", 16_000)
      .put("queryMaxInMemorySortDocumentCount", 500)
      .put("maxQueryRequestTimeoutFraction", 0.9)
      .put("sqlAllowNonFiniteNumbers", false)
      .put("sqlAllowAggregateFunctions", true)
      .put("sqlAllowSubQuery", true)
      .put("sqlAllowScalarSubQuery", true)
      .put("allowNewKeywords", true)
      .put("sqlAllowLike", true)
      .put("sqlAllowGroupByClause", true)
      .put("maxSpatialQueryCells", 12)
      .put("spatialMaxGeometryPointCount", 256)
      .put("sqlAllowTop", true)
      .put("enableSpatialIndexing", true)
      .toString();

  private final Level level;

  AccountRoute(Level level) {
    this.level = level;
  }

  HttpResponse read(Exchange exchange) {
    ObjectNode account = Json.object()
        .put("_self", "")
        .put("id", "partita")
        .put("_rid", "partita")
        .put("media", "//media/")
        .put("addresses", "//addresses/")
        .put("_dbs", "//dbs/");
    location(account, "writableLocations", exchange.endpoint());
    location(account, "readableLocations", exchange.endpoint());
    account.put("enableMultipleWriteLocations", false);
    account
        .putObject("userReplicationPolicy")
        .put("asyncReplication", false)
        .put("minReplicaSetSize", 3)
        .put("maxReplicasetSize", 4);
    account
        .putObject("userConsistencyPolicy")
        .put("defaultConsistencyLevel", ConsistencyHeaders.name(level));
    account
        .putObject("systemReplicationPolicy")
        .put("minReplicaSetSize", 3)
        .put("maxReplicasetSize", 4);
    account
        .putObject("readPolicy")
        .put("primaryReadCoefficient", 1)
        .put("secondaryReadCoefficient", 1);
    account.put("queryEngineConfiguration", QUERY_ENGINE);
    return new Reply(exchange).charge(Reply.CATALOG_CHARGE).json(200, account);
  }

  private static void location(ObjectNode account, String name, String endpoint) {
    account.putArray(name).addObject().put("name", REGION).put("databaseAccountEndpoint", endpoint);
  }
}
