package dev.partita.http.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.http.cli.FakeAccount;
import dev.partita.http.cli.FakeAccount.Fault;
import dev.partita.http.cli.client.Endpoint;
import dev.partita.http.cli.client.RequestSigner;
import dev.partita.http.cli.client.ResourceName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private static final int CONNECTIONS = 4;
  private static final int ITEM_BYTES = 1_024;

  @Test
  void measuresTheWindowAndCountsOtherStatuses() throws IOException {
    try (var account = new FakeAccount()) {
      account.faults((request, id) -> request % 5 == 0 ? Fault.REFUSED : Fault.NONE);
      var endpoint = Endpoint.parse(account.endpoint(), false);
      var container = ResourceName.database("d").container("c");
      var requests = new ItemRequests(
          endpoint, RequestSigner.WELL_KNOWN_KEY, container, ITEM_BYTES, CONNECTIONS, 1);
      var edges = new Edges();
      try (var generator = LoadGenerator.connect(
          new InetSocketAddress(endpoint.host(), endpoint.port()), CONNECTIONS)) {
        var measured =
            generator.run(requests.writes(), Duration.ofMillis(50), Duration.ofMillis(300), edges);

        assertThat(edges.opened).hasValue(1);
        assertThat(edges.closed).hasValue(1);
        assertThat(measured.operations())
            .isPositive()
            .isEqualTo(measured.latency().getTotalCount());
        assertThat(measured.others()).containsOnlyKeys(413);
        assertThat(measured.window()).isGreaterThanOrEqualTo(Duration.ofMillis(290));
        assertThat(measured.operations())
            .as("the warm-up is not counted")
            .isLessThan(account.items().size());
        assertThat(account.items().values()).allMatch(body -> body.length() == ITEM_BYTES);
        assertThat(account.items())
            .as("no item is made twice")
            .hasSize(account.itemRequests() - refused(account));
        assertThat(account.unsigned()).isEmpty();
      }
    }
  }

  private static int refused(FakeAccount account) {
    return (account.itemRequests() + 4) / 5;
  }

  private static final class Edges implements LoadGenerator.Window {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public void opened() {
      opened.incrementAndGet();
    }

    @Override
    public void closed() {
      closed.incrementAndGet();
    }
  }
}
