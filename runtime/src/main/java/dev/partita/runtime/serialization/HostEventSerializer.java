package dev.partita.runtime.serialization;

import akka.serialization.SerializerWithStringManifest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.partita.runtime.model.PhysicalPartitionId;
import dev.partita.runtime.model.ReplicaId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.placement.HostEvent;
import dev.partita.runtime.store.PartitionDescriptor;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Journal shapes of {@link HostEvent}: JSON, since they are rare, with the version in the manifest. */
public final class HostEventSerializer extends SerializerWithStringManifest {
  private static final String CREATED = "created/1";
  private static final String REMOVED = "removed/1";
  private static final String ERASED = "erased/1";
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public int identifier() {
    return 1_747_002;
  }

  @Override
  public String manifest(Object event) {
    if (event instanceof HostEvent.ReplicaCreated) {
      return CREATED;
    }
    return event instanceof HostEvent.ReplicaRemoved ? REMOVED : ERASED;
  }

  @Override
  public byte[] toBinary(Object event) {
    ObjectNode json = JSON.createObjectNode();
    if (event instanceof HostEvent.ReplicaCreated created) {
      PartitionDescriptor descriptor = created.descriptor();
      json.set("id", write(created.id()));
      json.put("slot", created.slot());
      json.put("lineage", descriptor.lineage());
      json.put("databaseRid", descriptor.databaseRid());
      json.put("containerRid", descriptor.containerRid());
      json.put("rangeId", descriptor.rangeId());
      json.put("min", descriptor.minInclusive());
      json.put("max", descriptor.maxExclusive());
      ArrayNode voters = json.putArray("voters");
      created.voters().forEach(voter -> voters.add(write(voter)));
    } else if (event instanceof HostEvent.ReplicaRemoved removed) {
      json.set("id", write(removed.id()));
    } else if (event instanceof HostEvent.ReplicaErased erased) {
      json.set("id", write(erased.id()));
    } else {
      throw new IllegalArgumentException("not a host event: " + event.getClass());
    }
    try {
      return JSON.writeValueAsBytes(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      NotSerializableException damaged = new NotSerializableException("a damaged host event");
      damaged.initCause(e);
      throw damaged;
    }
    ReplicaId id = read(json.get("id"));
    switch (manifest) {
      case CREATED -> {
        List<ReplicaId> voters = new ArrayList<>();
        json.get("voters").forEach(voter -> voters.add(read(voter)));
        PartitionDescriptor descriptor = new PartitionDescriptor(
            id.partition(),
            json.get("lineage").longValue(),
            json.get("databaseRid").textValue(),
            json.get("containerRid").textValue(),
            json.get("rangeId").intValue(),
            json.get("min").textValue(),
            json.get("max").textValue());
        return new HostEvent.ReplicaCreated(id, descriptor, json.get("slot").longValue(), voters);
      }
      case REMOVED -> {
        return new HostEvent.ReplicaRemoved(id);
      }
      case ERASED -> {
        return new HostEvent.ReplicaErased(id);
      }
      default ->
        throw new NotSerializableException(
            "the journal holds an event of a later version: " + manifest);
    }
  }

  private static ObjectNode write(ReplicaId id) {
    return JSON.createObjectNode()
        .put("partition", id.partition().value())
        .put("store", id.store().toString())
        .put("incarnation", id.incarnation());
  }

  private static ReplicaId read(JsonNode json) {
    return new ReplicaId(
        new PhysicalPartitionId(json.get("partition").longValue()),
        Uid.parse(json.get("store").textValue()),
        json.get("incarnation").longValue());
  }
}
