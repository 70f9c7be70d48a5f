package dev.partita.runtime.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Breaks one rule at a time (replication.md section 19), in the source itself, and asks the simulation to
 * notice. A mutation whose text is no longer in the source fails: then it is to be written anew.
 */
class MutationTest {
  private static final String PACKAGE = "dev.partita.runtime.replication.";
  private static final Path SOURCES = Path.of("src/main/java", PACKAGE.replace('.', '/'));
  private static final int SEEDS = 400;

  /** In the class of that name, this text becomes that one. */
  private record Change(String type, String text, String mutated) {}

  private record Mutation(String rule, List<Change> changes) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Mutation mutation(String rule, String... changes) {
    var list = new ArrayList<Change>();
    for (int i = 0; i < changes.length; i += 3) {
      list.add(new Change(changes[i], changes[i + 1], changes[i + 2]));
    }
    return new Mutation(rule, list);
  }

  static Stream<Mutation> mutations() {
    return Stream.of(
        mutation(
            "answers leave before the flush",
            "ReplicaState",
            "answer, unflushed.made())",
            "answer, unflushed.flushed())"),
        mutation(
            "Prepare is answered before the flush",
            "Acceptor",
            "return state.answer(event, report(epoch));",
            "return Decision.answer(event, report(epoch), 0);"),
        mutation(
            "an Append's promise is not persisted",
            "Acceptor",
            "} else if (raise) {",
            "} else if (raise && false) {",
            "Acceptor",
            "raise ? Optional.of(promise(epoch)) : Optional.empty()",
            "Optional.empty()"),
        mutation(
            "a Promise reports the flushed end only", "Acceptor", "    return new Promise(", """
                if (history != null) {
                  var log = history.log();
                  long end = Math.max(state.unflushed.durable(), log.first() - 1);
                  return new Promise(state.clusterId, state.self, epoch, log.epochAt(end),
                      new Lsn(end), log.timeAt(end), Optional.of(history.configuration()),
                      history.configLsn(), new Lsn(Math.min(state.commit, end)));
                }
                return new Promise("""),
        mutation(
            "compaction to the unsynced applied LSN",
            "Replica",
            "Math.min(synced.value(), state.applied)",
            "state.applied"),
        mutation(
            "read quorum R-1",
            "Configuration",
            "members.size() - writeQuorum() + 1",
            "members.size() - writeQuorum()"),
        mutation(
            "write quorum W-1",
            "Configuration",
            "return members.size() / 2 + 1;",
            "return members.size() / 2;",
            "Configuration",
            "members.size() - writeQuorum() + 1",
            "2"),
        mutation(
            "old epochs commit by counting",
            "Tenure",
            "lsn > reached && lsn >= noOpLsn && ",
            "lsn > reached && "),
        mutation(
            "acknowledge the end instead of the match",
            "Acceptor",
            "new Lsn(match), append.round()",
            "new Lsn(log.last()), append.round()"),
        mutation(
            "a promiser's end is its match, whatever its epoch",
            "Tenure",
            "log.knows(end) && log.epochAt(end).equals(promise.lastEpoch())",
            "log.knows(end)"),
        mutation(
            "adopt the first log",
            "TakeOver",
            "best == null || isBetter(promise, best)",
            "best == null"),
        mutation(
            "adopt the longest log",
            "TakeOver",
            "int order = a.lastEpoch().compareTo(b.lastEpoch());\n    if (order == 0) {",
            "int order = 0;\n    if (order == 0) {"),
        mutation(
            "an epoch without its attempt",
            "TakeOver",
            "new Epoch(counterSeen + 1, attempt.uid())",
            "new Epoch(counterSeen + 1, Uid.ZERO)"),
        mutation(
            "Append below the promise is accepted",
            "Acceptor",
            "return state.refuse(epoch, RefusalReason.EPOCH); // R2.1",
            ";",
            "ReplicaState",
            "throw new InvariantViolation(\"I1\", self",
            "return;} if (false) { throw new InvariantViolation(\"I1\", self"),
        mutation(
            "always cut behind the message",
            "Acceptor",
            "    Optional<ReplicaEvent> event = Optional.empty();\n",
            """
                if (match < log.last() && match >= start && lsn > match) {
                  lsn = match;
                }
                Optional<ReplicaEvent> event = Optional.empty();
            """),
        mutation(
            "commit bounded by the end of the log",
            "Acceptor",
            "Math.min(append.commitLsn().value(), state.verified)",
            "Math.min(append.commitLsn().value(), log.last())"),
        mutation(
            "the epoch before is not compared",
            "Acceptor",
            "prev > log.last() || !log.epochAt(prev).equals(prevEpoch)",
            "prev > log.last()"),
        mutation(
            "what was verified stays so for a new primary",
            "Acceptor",
            "state.verified = state.commit;",
            ""),
        mutation(
            "applied when accepted",
            "Replica",
            "long through = Math.min(state.commit, state.unflushed.durable());",
            "long through = state.unflushed.durable(); state.commit = Math.max(state.commit, through);"),
        mutation(
            "Install drops a matching suffix",
            "Snapshots",
            "history != null && history.holds(base); // R6.4",
            "false;",
            "ReplicaState",
            "if (history != null && history.holds(base)) {",
            "if (false) {",
            "ReplicaState",
            "history = new History(base);",
            "history = new History(base); if (event.suffix().isEmpty()) { unflushed.reset(base.lsn().value()); }"),
        mutation(
            "acknowledgements of another epoch count",
            "Primary",
            "return DropReason.OTHER_EPOCH; // L1",
            "return null;"),
        mutation(
            "echoes of earlier rounds count",
            "Tenure",
            "&& round >= begun && ",
            "&& ",
            "Members",
            "get(id).confirmed >= round",
            "get(id).confirmed >= 1"),
        mutation(
            "Confirm does not look at the promise",
            "Acceptor",
            "if (confirm.epoch().compareTo(state.promised) < 0) {",
            "if (false) {"),
        mutation(
            "a stranger's promise counts",
            "TakeOver",
            "configuration.get().isReadQuorum(promises::containsKey)",
            "promises.size() >= 2"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutations")
  void isNoticed(Mutation mutation, @TempDir Path classes) throws ReflectiveOperationException {
    compile(mutation, classes);
    var run = new Mutated(classes)
        .loadClass(PACKAGE + "SimulationTest")
        .getDeclaredMethod("run", long.class, List.class);
    run.setAccessible(true);
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        run.invoke(null, seed, null);
      } catch (InvocationTargetException noticed) {
        assertThat(noticed.getCause().getClass().getSimpleName())
            .isIn("Violation", "InvariantViolation");
        return;
      }
    }
    throw new AssertionError(SEEDS + " seeds did not notice: " + mutation);
  }

  private static void compile(Mutation mutation, Path classes) {
    var sources = mutation.changes().stream()
        .map(Change::type)
        .distinct()
        .map(type -> source(type, mutation))
        .toList();
    var messages = new StringWriter();
    boolean compiled = ToolProvider.getSystemJavaCompiler()
        .getTask(
            messages,
            null,
            null,
            List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path")),
            null,
            sources)
        .call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }

  private static JavaFileObject source(String type, Mutation mutation) {
    var path = SOURCES.resolve(type + ".java");
    String text;
    try {
      text = Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (var change : mutation.changes()) {
      if (change.type().equals(type)) {
        assertThat(text.split(java.util.regex.Pattern.quote(change.text()), -1))
            .as("%s, in %s exactly once", change.text(), path)
            .hasSize(2);
        text = text.replace(change.text(), change.mutated());
      }
    }
    String mutated = text;
    return new SimpleJavaFileObject(
        URI.create("string:///" + PACKAGE.replace('.', '/') + type + ".java"),
        JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return mutated;
      }
    };
  }

  /** The package once more: mutated where a mutation was compiled, the usual bytes otherwise. */
  private static final class Mutated extends ClassLoader {
    private final Path classes;

    Mutated(Path classes) {
      super(MutationTest.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        var loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      var mutated = classes.resolve(file);
      try (var in = Files.exists(mutated)
          ? Files.newInputStream(mutated)
          : getParent().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
