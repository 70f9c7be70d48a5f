package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.multijvm.harness.Node;
import dev.partita.multijvm.harness.Nodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs src/test/js/*.test.js with Node.js against a node; its words are in the output. */
class JavaScriptSdkIT {
  private static final int TESTS_MIN = 15;
  private static final Pattern COUNT =
      Pattern.compile("(?m)^# (tests|pass|fail|skipped|todo) (\\d+)$");

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  @Test
  void overHttp() throws IOException, InterruptedException {
    var node = nodes.create().start();
    run(node, node.endpoint().toString());
  }

  @Test
  void overHttps() throws IOException, InterruptedException {
    var node = nodes.create("--tls").start();
    run(node, node.httpsEndpoint().toString());
  }

  private static void run(Node node, String endpoint) throws IOException, InterruptedException {
    var folder = Path.of(System.getProperty("partita.js", "target/js"));
    assertThat(folder.resolve("node_modules/@azure/cosmos/package.json"))
        .as("the SDK, which the build installs with npm ci")
        .exists();
    var output = Files.createTempFile("js", ".tap");
    var builder = new ProcessBuilder("node", "--test", "--test-reporter=tap")
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile());
    builder.environment().put("PARTITA_ENDPOINT", endpoint);
    builder.environment().put("PARTITA_KEY", node.key());
    int code = builder.start().waitFor();
    var text = Files.readString(output, StandardCharsets.UTF_8);
    Files.delete(output);
    assertThat(code).as("node --test said:\n%s", text).isZero();
    assertThat(count(text, "pass"))
        .as("tests that passed, of\n%s", text)
        .isGreaterThanOrEqualTo(TESTS_MIN);
    assertThat(count(text, "fail") + count(text, "skipped") + count(text, "todo"))
        .as("others, in\n%s", text)
        .isZero();
  }

  private static int count(String tap, String what) {
    var found = COUNT.matcher(tap);
    while (found.find()) {
      if (found.group(1).equals(what)) {
        return Integer.parseInt(found.group(2));
      }
    }
    throw new AssertionError("no count of '" + what + "' in\n" + tap);
  }
}
