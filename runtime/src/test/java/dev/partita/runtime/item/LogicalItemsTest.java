package dev.partita.runtime.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.partita.runtime.api.ItemAnswer.Outcome;
import dev.partita.runtime.api.ItemWrite;
import dev.partita.runtime.api.ItemWrite.Operation;
import dev.partita.runtime.charge.ChargeModel;
import dev.partita.runtime.item.Decision.Propose;
import dev.partita.runtime.item.Decision.Reason;
import dev.partita.runtime.item.Decision.Refuse;
import dev.partita.runtime.model.Bytes;
import dev.partita.runtime.model.Epoch;
import dev.partita.runtime.model.Lsn;
import dev.partita.runtime.model.RequestId;
import dev.partita.runtime.model.Uid;
import dev.partita.runtime.partitioning.PartitionKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalItemsTest {
  private static final PartitionKey KEY = PartitionKey.of(new PartitionKey.Component.Text("a"));
  private static final ItemDocument DOCUMENTS = new ItemDocument("ELc9AQ==", "ELc9AYAAAAE=");
  private static final long NOW = 1796052955;

  /** The store of one logical partition, and a log in which every proposal commits. */
  private static final class Partition implements CommittedItems {
    final LogicalItems items = newItems(1000);
    final EtagSource etags = EtagSource.of(3, new Epoch(1, new Uid(0, 0xabcd)), Lsn.ZERO);
    final RidSource rids = RidSource.of(3, 1);
    final Map<Bytes, StoredItem> stored = new HashMap<>();
    final Deque<ItemMutation> log = new ArrayDeque<>();
    LogicalSize size = LogicalSize.EMPTY;
    long lastLsn;
    long appendedLsn;
    long appliedLsn;

    Decision write(Operation operation, String id, @Nullable String ifMatch, String body) {
      var write = new ItemWrite(operation, KEY, id, Bytes.utf8(body), ifMatch);
      Decision decision = items.decide(write, this, NOW, etags, rids);
      if (decision instanceof Propose propose) {
        var lsn = new Lsn(++lastLsn);
        // Known once the log has come that far: as for a primary that is a mailbox away.
        items.proposed(propose, () -> lsn.value() <= appendedLsn ? lsn : Lsn.ZERO);
        log.add(propose.mutation());
      }
      return decision;
    }

    Propose done(Operation operation, String id, @Nullable String ifMatch) {
      return (Propose) write(operation, id, ifMatch, "{\"id\":\"" + id + "\"}");
    }

    void refuses(Operation operation, String id, @Nullable String ifMatch, Reason reason) {
      assertThat(write(operation, id, ifMatch, "{}"))
          .isInstanceOfSatisfying(
              Refuse.class, refuse -> assertThat(refuse.reason()).isEqualTo(reason));
    }

    /** Appends and applies entries, without telling. */
    void apply(int entries) {
      appendedLsn = Math.max(appendedLsn, Math.min(lastLsn, appliedLsn + entries));
      for (int i = 0; i < entries && !log.isEmpty(); i++) {
        ItemMutation mutation = log.remove();
        appliedLsn++;
        if (mutation.kind() == ItemMutation.Kind.PUT) {
          stored.put(mutation.id(), StoredItem.of(new Lsn(appliedLsn), mutation));
        } else {
          stored.remove(mutation.id());
        }
        size = mutation.logicalSize();
      }
    }

    void applyAll() {
      apply(log.size());
      items.appliedThrough(new Lsn(appliedLsn));
    }

    @Override
    public @Nullable StoredItem item(Bytes id) {
      return stored.get(id);
    }

    @Override
    public LogicalSize size() {
      return size;
    }
  }

  private static LogicalItems newItems(int pendingMax) {
    return new LogicalItems(Bytes.utf8("epk"), KEY.canonicalBytes(), DOCUMENTS, pendingMax);
  }

  @ParameterizedTest(name = "applied before the next write: {0}")
  @ValueSource(booleans = {true, false})
  void theLifeOfAnItem(boolean applied) {
    var partition = new Partition();
    Runnable next = () -> {
      if (applied) {
        partition.applyAll();
      }
    };
    partition.refuses(Operation.REPLACE, "x", null, Reason.NOT_FOUND);
    partition.refuses(Operation.DELETE, "x", "*", Reason.NOT_FOUND);
    var created = partition.done(Operation.CREATE, "x", null);
    assertThat(created.outcome()).isEqualTo(Outcome.CREATED);
    assertThat(created.previousBytes()).isZero();
    next.run();
    partition.refuses(Operation.CREATE, "x", null, Reason.CONFLICT);
    partition.refuses(Operation.REPLACE, "x", "\"other\"", Reason.PRECONDITION_FAILED);

    var replaced = partition.done(Operation.REPLACE, "x", created.etag());
    assertThat(replaced.outcome()).isEqualTo(Outcome.REPLACED);
    assertThat(replaced.mutation().number()).isEqualTo(created.mutation().number());
    assertThat(replaced.previousBytes()).isEqualTo(created.document().length());
    assertThat(replaced.document().utf8())
        .contains(replaced.etag().replace("\"", "\\\""))
        .endsWith("\"_ts\":" + NOW + "}");
    next.run();
    partition.refuses(Operation.REPLACE, "x", created.etag(), Reason.PRECONDITION_FAILED);
    partition.refuses(Operation.UPSERT, "x", created.etag(), Reason.PRECONDITION_FAILED);

    var upserted = partition.done(Operation.UPSERT, "x", "*");
    assertThat(upserted.outcome()).isEqualTo(Outcome.REPLACED);
    assertThat(upserted.mutation().number()).isEqualTo(created.mutation().number());
    next.run();
    partition.refuses(Operation.DELETE, "x", replaced.etag(), Reason.PRECONDITION_FAILED);
    var deleted = partition.done(Operation.DELETE, "x", upserted.etag());
    assertThat(deleted.outcome()).isEqualTo(Outcome.DELETED);
    assertThat(deleted.document()).isEqualTo(Bytes.EMPTY);
    assertThat(deleted.mutation().number()).isEqualTo(created.mutation().number());
    assertThat(deleted.mutation().logicalSize()).isEqualTo(LogicalSize.EMPTY);
    next.run();
    partition.refuses(Operation.DELETE, "x", null, Reason.NOT_FOUND);

    var again = partition.done(Operation.UPSERT, "x", "\"nobody has this\"");
    assertThat(again.outcome()).isEqualTo(Outcome.CREATED);
    assertThat(again.mutation().number()).isGreaterThan(created.mutation().number());
    next.run();
    assertThat(partition.done(Operation.REPLACE, "x", again.etag()).etag())
        .isNotEqualTo(again.etag());
  }

  /** U45: a delete with a wrong etag deletes nothing. */
  @Test
  void u45DeleteWithAWrongEtagIsRefused() {
    var partition = new Partition();
    var created = partition.done(Operation.CREATE, "x", null);
    partition.applyAll();
    partition.refuses(Operation.DELETE, "x", "\"nope\"", Reason.PRECONDITION_FAILED);
    assertThat(partition.log).isEmpty();
    assertThat(partition.done(Operation.DELETE, "x", created.etag()).outcome())
        .isEqualTo(Outcome.DELETED);
  }

  @Test
  void aRefusalNamesTheChangeThatItRestsOn() {
    var partition = new Partition();
    assertThat(partition.write(Operation.REPLACE, "x", null, "{}"))
        .isEqualTo(new Refuse(Reason.NOT_FOUND, Lsn.ZERO, 0));
    int bytes = partition.done(Operation.CREATE, "x", null).document().length();
    assertThat(partition.write(Operation.CREATE, "x", null, "{}"))
        .isEqualTo(new Refuse(Reason.CONFLICT, Lsn.ZERO, bytes));
    partition.appendedLsn = 1;
    var conflict = new Refuse(Reason.CONFLICT, new Lsn(1), bytes);
    assertThat(partition.write(Operation.CREATE, "x", null, "{}")).isEqualTo(conflict);
    partition.applyAll();
    assertThat(partition.write(Operation.CREATE, "x", null, "{}")).isEqualTo(conflict);
    partition.done(Operation.DELETE, "x", null);
    partition.appendedLsn = 2;
    assertThat(partition.write(Operation.DELETE, "x", null, "{}"))
        .isEqualTo(new Refuse(Reason.NOT_FOUND, new Lsn(2), 0));
  }

  /** Against a map in which every write takes effect at once, whatever has been applied meanwhile. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void decisionsAreThoseOfASequentialMap(long seed) {
    var random = new Random(seed);
    var operations = List.of(Operation.values());
    var partition = new Partition();
    Map<String, Propose> model = new HashMap<>();
    Set<String> etagsEver = new HashSet<>();
    Map<Reason, Integer> refusals = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      String id = "id" + random.nextInt(6);
      var operation = operations.get(random.nextInt(operations.size()));
      var before = model.get(id);
      String ifMatch = switch (random.nextInt(5)) {
        case 0 -> "*";
        case 1 -> "\"stale\"";
        case 2 -> before == null ? null : before.etag();
        default -> null;
      };
      var decision = partition.write(
          operation,
          id,
          ifMatch,
          "{\"id\":\"" + id + "\",\"x\":\"" + "x".repeat(step % 70) + "\"}");
      var expected = expectedRefusal(operation, before, ifMatch);
      if (expected != null) {
        refusals.merge(expected, 1, Integer::sum);
        assertThat(((Refuse) decision).reason()).isEqualTo(expected);
      } else {
        var done = (Propose) decision;
        if (operation == Operation.DELETE) {
          model.remove(id);
        } else {
          assertThat(etagsEver.add(done.etag())).isTrue();
          model.put(id, done);
        }
        assertThat(done.mutation().logicalSize())
            .isEqualTo(new LogicalSize(
                model.size(),
                model.values().stream().mapToLong(p -> p.document().length()).sum()));
      }
      partition.apply(random.nextInt(4));
      partition.appendedLsn +=
          random.nextInt((int) (partition.lastLsn - partition.appendedLsn) + 1);
      if (random.nextBoolean()) {
        long behind = random.nextInt(3);
        partition.items.appliedThrough(new Lsn(Math.max(0, partition.appliedLsn - behind)));
      }
      assertThat(partition.items.pending())
          .isGreaterThanOrEqualTo((int) (partition.lastLsn - partition.appliedLsn));
    }
    assertThat(refusals).containsOnlyKeys(Reason.values());
    partition.applyAll();
    assertThat(partition.items.pending()).isZero();
    assertThat(partition.stored).hasSize(model.size());
  }

  private static @Nullable Reason expectedRefusal(
      Operation operation, @Nullable Propose before, @Nullable String ifMatch) {
    boolean differs =
        before != null && ifMatch != null && !Set.of("*", before.etag()).contains(ifMatch);
    return switch (operation) {
      case CREATE -> before == null ? null : Reason.CONFLICT;
      case UPSERT -> differs ? Reason.PRECONDITION_FAILED : null;
      case REPLACE, DELETE ->
        before == null ? Reason.NOT_FOUND : differs ? Reason.PRECONDITION_FAILED : null;
    };
  }

  @Test
  void pendingWritesAreBounded() {
    var items = newItems(2);
    var partition = new Partition();
    for (long i = 1; i <= 2; i++) {
      var lsn = new Lsn(i);
      var decision = items.decide(create("x" + i), partition, NOW, partition.etags, partition.rids);
      items.proposed((Propose) decision, () -> lsn);
    }
    assertThat(items.decide(create("x3"), partition, NOW, partition.etags, partition.rids))
        .isEqualTo(new Decision.Busy());
    items.appliedThrough(new Lsn(1));
    assertThat(items.pending()).isEqualTo(1);
    assertThat(items.decide(create("x3"), partition, NOW, partition.etags, partition.rids))
        .isInstanceOf(Propose.class);
  }

  private static ItemWrite create(String id) {
    return new ItemWrite(Operation.CREATE, KEY, id, Bytes.utf8("{}"), null);
  }

  @Test
  void onlyTheLastDecisionIsProposedAndOnlyOnce() {
    var partition = new Partition();
    var items = partition.items;
    var first =
        (Propose) items.decide(create("x"), partition, NOW, partition.etags, partition.rids);
    var second =
        (Propose) items.decide(create("x"), partition, NOW, partition.etags, partition.rids);
    assertThatIllegalStateException().isThrownBy(() -> items.proposed(first, () -> Lsn.ZERO));
    items.proposed(second, () -> Lsn.ZERO);
    assertThatIllegalStateException().isThrownBy(() -> items.proposed(second, () -> Lsn.ZERO));
    assertThat(items.pending()).isEqualTo(1);
  }

  @Test
  void aWriteWithoutAPlaceInTheLogStaysPendingWithAllBehindIt() {
    var items = newItems(10);
    var partition = new Partition();
    Lsn[] places = {Lsn.ZERO, new Lsn(8)};
    for (int i = 0; i < places.length; i++) {
      int index = i;
      var decision = items.decide(create("x" + i), partition, NOW, partition.etags, partition.rids);
      items.proposed((Propose) decision, () -> places[index]);
    }
    items.appliedThrough(new Lsn(8));
    assertThat(items.pending()).isEqualTo(2);
    places[0] = new Lsn(7);
    items.appliedThrough(new Lsn(6));
    assertThat(items.pending()).isEqualTo(2);
    items.appliedThrough(new Lsn(7));
    assertThat(items.pending()).isEqualTo(1);
  }

  @Test
  void aDecisionKnowsItsCharge() {
    var partition = new Partition();
    String body = "{\"x\":\"" + "x".repeat(102_400) + "\"}";
    var model = ChargeModel.DEFAULT;
    var created = (Propose) partition.write(Operation.CREATE, "x", null, body);
    int bytes = created.document().length();
    assertThat(created.charge(model)).isEqualTo(model.create(bytes)).isGreaterThan(50);
    assertThat(((Refuse) partition.write(Operation.CREATE, "x", null, "{}")).charge(model))
        .isEqualTo(model.pointRead(bytes, false));
    var replaced = (Propose) partition.write(Operation.UPSERT, "x", null, "{}");
    assertThat(replaced.charge(model)).isEqualTo(model.replace(bytes, 0)).isGreaterThan(100);
    var deleted = (Propose) partition.write(Operation.DELETE, "x", null, "");
    assertThat(deleted.charge(model)).isEqualTo(7.5);
  }

  @Test
  void aProposalMakesTheBodyOfItsEntry() {
    var created = new Partition().done(Operation.CREATE, "x", null);
    var request = new RequestId(new Uid(1, 2), 3);
    WriteBody body = WriteBody.decode(created.body(request, 99, 5.5).encode());
    assertThat(body.mutations()).containsExactly(created.mutation());
    assertThat(body.request()).isEqualTo(request);
    assertThat(body.deadlineMillis()).isEqualTo(99);
    assertThat(body.result()).isEqualTo(new WriteResult(Outcome.CREATED, created.etag(), 5.5));
  }
}
