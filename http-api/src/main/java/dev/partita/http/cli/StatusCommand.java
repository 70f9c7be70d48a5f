package dev.partita.http.cli;

import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.client.Reply;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code partita status}: a picture of the cluster. */
@Command(
    name = "status",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    header = "Show nodes, containers, physical partitions and replicas.",
    description = "",
    footer = {
      "",
      "Examples:",
      "  partita status",
      "  partita status --json | jq '.containers[].physicalPartitions[] | {id, items, bytes}'"
    })
final class StatusCommand implements Callable<Integer> {
  @Spec
  private @Nullable CommandSpec spec;

  @Mixin
  private AccountOptions account = new AccountOptions();

  @Option(names = "--json", description = "Print the node's answer as it is.")
  private boolean json;

  @Override
  public Integer call() {
    var reply = ask();
    if (reply.status() != 200 || !reply.json().isObject()) {
      throw new CommandFailure(account.endpoint() + " answered " + reply.error());
    }
    var out = Objects.requireNonNull(spec, "picocli sets it").commandLine().getOut();
    out.println(json ? reply.text().stripTrailing() : StatusTable.of(reply.json()));
    out.flush();
    return 0;
  }

  private Reply ask() {
    try (var client = account.client()) {
      return client.admin("/_partita/status");
    } catch (IOException e) {
      throw new CommandFailure(
          "no node answers at " + account.endpoint() + ": " + e.getMessage(), e);
    }
  }
}
