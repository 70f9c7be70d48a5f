package dev.partita.persistence.directory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What changes in a data directory and is durable at once.
 *
 * @param bootCount openings of the directory so far
 * @param slotsReserved the highest slot ever given out
 * @param clusterId 32 lower-case hexadecimal digits, once it is known
 * @param genesis the founding of the cluster
 */
record NodeState(long bootCount, long slotsReserved, Optional<String> clusterId, Genesis genesis) {
  static final NodeState NEW = new NodeState(0, 0, Optional.empty(), Genesis.NONE);
  static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  private static final String BOOT_COUNT = "bootCount";
  private static final String SLOTS_RESERVED = "slotsReserved";
  private static final String CLUSTER = "cluster";
  private static final String GENESIS = "genesis";
  private static final String GENESIS_TEXT = "genesisText";

  NodeState {
    if (bootCount < 0 || slotsReserved < 0) {
      throw new IllegalArgumentException("a negative count");
    }
    clusterId.ifPresent(NodeState::requireId);
  }

  /**
   * Reads what {@link #values} gave.
   *
   * @throws IllegalArgumentException if a value is missing or senseless
   */
  static NodeState of(Map<String, String> values) {
    return new NodeState(
        Long.parseLong(values.getOrDefault(BOOT_COUNT, "")),
        Long.parseLong(values.getOrDefault(SLOTS_RESERVED, "")),
        Optional.ofNullable(values.get(CLUSTER)),
        new Genesis(
            Genesis.State.valueOf(values.getOrDefault(GENESIS, "")),
            values.getOrDefault(GENESIS_TEXT, "")));
  }

  Map<String, String> values() {
    var values = new LinkedHashMap<String, String>();
    values.put(BOOT_COUNT, Long.toString(bootCount));
    values.put(SLOTS_RESERVED, Long.toString(slotsReserved));
    clusterId.ifPresent(id -> values.put(CLUSTER, id));
    values.put(GENESIS, genesis.state().name());
    values.put(GENESIS_TEXT, genesis.text());
    return values;
  }

  NodeState booted() {
    return new NodeState(Math.addExact(bootCount, 1), slotsReserved, clusterId, genesis);
  }

  NodeState withSlots(int count) {
    return new NodeState(bootCount, Math.addExact(slotsReserved, count), clusterId, genesis);
  }

  NodeState inCluster(String id) {
    return new NodeState(bootCount, slotsReserved, Optional.of(id), genesis);
  }

  NodeState with(Genesis newer) {
    return new NodeState(bootCount, slotsReserved, clusterId, newer);
  }

  static String requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("an id has 32 lower-case hexadecimal digits, not: " + id);
    }
    return id;
  }
}
