package dev.partita.runtime.api;

/**
 * Provisioned request units per second.
 *
 * @param requestUnits RU/s; the maximum when autoscale is on
 * @param autoscale whether the budget floats between a tenth of the maximum and the maximum
 */
public record Throughput(int requestUnits, boolean autoscale) {}
