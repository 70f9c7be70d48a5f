package dev.partita.http.cli;

import dev.partita.http.cli.bench.BenchCommand;
import dev.partita.http.cli.bench.EmptyRouteCommand;
import dev.partita.http.cli.bench.RawLimitCommand;
import dev.partita.http.cli.client.CommandFailure;
import dev.partita.http.cli.load.LoadCommand;
import dev.partita.http.server.NodeStartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command {@code partita}. Exit codes: 0 done, 1 could not be done, 2 wrong arguments. Whatever goes wrong is one line
 * on the standard error; {@code --verbose} adds the stack trace.
 */
@Command(
    name = "partita",
    synopsisSubcommandLabel = "COMMAND",
    description = {"An elastic partition runtime that the Azure Cosmos DB SDKs can talk to.", ""},
    footer = {
      "",
      "A first session:",
      "  partita serve                          start a node; it prints its endpoint and key",
      "  partita load cities.jsonl.gz --database world --container cities \\",
      "               --partition-key /country  fill a container from a file",
      "  partita status                         see containers, physical partitions, replicas",
      "",
      "Every command explains itself: partita COMMAND --help"
    },
    subcommands = {
      ServeCommand.class,
      LoadCommand.class,
      StatusCommand.class,
      BenchCommand.class,
      EmptyRouteCommand.class,
      RawLimitCommand.class
    },
    versionProvider = PartitaCommand.Version.class,
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:could not be done; one line says why", "2:wrong arguments"})
public final class PartitaCommand implements Runnable {
  @Spec
  private @Nullable CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace when something goes wrong.")
  private boolean verbose;

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line with its rules for errors. */
  static CommandLine commandLine() {
    var root = new PartitaCommand();
    return new CommandLine(root)
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler((e, arguments) -> root.wrongArguments(e))
        .setExecutionExceptionHandler((e, command, result) -> root.failed(e, command));
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "which command? serve, load, status or bench");
  }

  private int wrongArguments(ParameterException e) {
    var command = e.getCommandLine();
    var name = command.getCommandSpec().qualifiedName();
    printLine(command.getErr(), name, oneLine(e.getMessage()) + " (see " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private int failed(Exception e, CommandLine command) {
    printLine(command.getErr(), command.getCommandSpec().qualifiedName(), reason(e));
    if (verbose) {
      e.printStackTrace(command.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String reason(Exception e) {
    var message = oneLine(e.getMessage());
    boolean forPeople = e instanceof CommandFailure || e instanceof NodeStartException;
    if (forPeople && !message.isEmpty()) {
      return message;
    }
    if (e instanceof IOException && !message.isEmpty()) {
      return message;
    }
    return e.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message)
        + " (--verbose shows where)";
  }

  private static void printLine(PrintWriter err, String command, String message) {
    err.println(command + ": " + message);
    err.flush();
  }

  private static String oneLine(@Nullable String message) {
    return message == null ? "" : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /** The version in the jar's manifest. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      var version = PartitaCommand.class.getPackage().getImplementationVersion();
      return new String[] {"partita " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
