package dev.partita.http.protocol;

import dev.partita.runtime.model.Bytes;

/** The plan of the one query there is. All keys are there, since the SDKs read some without looking. */
public final class QueryPlan {
  private static final Bytes SELECT_ALL = Bytes.utf8(
      "{\"partitionedQueryExecutionInfoVersion\":2,\"queryInfo\":{"
          + "\"distinctType\":\"None\",\"top\":null,\"offset\":null,\"limit\":null,\"orderBy\":[],"
          + "\"orderByExpressions\":[],\"groupByExpressions\":[],\"groupByAliases\":[],\"aggregates\":[],"
          + "\"groupByAliasToAggregateType\":{},\"rewrittenQuery\":\"\",\"hasSelectValue\":false,"
          + "\"dCountInfo\":null,\"hasNonStreamingOrderBy\":false},"
          + "\"queryRanges\":[{\"min\":\"\",\"max\":\"FF\",\"isMinInclusive\":true,\"isMaxInclusive\":false}]}");

  private QueryPlan() {}

  /** Each range answers the original query; the client joins the rows. */
  public static Bytes selectAll() {
    return SELECT_ALL;
  }
}
