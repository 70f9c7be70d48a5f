package dev.partita.http.cli.bench;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Keeps one request under way on each of its connections: a closed loop, driven by one thread with a selector, so that it
 * takes little of the machine that it shares with the server.
 */
final class LoadGenerator implements Closeable {
  /** Makes the requests of a phase. */
  interface Requests {
    /** The next request, whole; the generator reads it to its end before it asks again for this connection. */
    ByteBuffer next(int connection);

    /** Told of an answer, in the order of answers. */
    default void answered(int connection, int status) {}
  }

  /** What the phase asks at the two edges of the measured window. */
  interface Window {
    void opened();

    void closed();
  }

  /**
   * What was measured.
   *
   * @param operations answers with a status below 300
   * @param latency of those, in microseconds
   * @param others how many answers had another status, by status
   */
  record Measured(
      long operations, Duration window, Histogram latency, TreeMap<Integer, Long> others) {
    double perSecond() {
      return operations / (window.toNanos() / 1e9);
    }
  }

  private static final long LATENCY_MICROS_MAX = 60_000_000;
  private static final long SILENCE_MILLIS_MAX = 60_000;

  private final Selector selector;
  private final List<Lane> lanes = new ArrayList<>();

  private LoadGenerator(Selector selector) {
    this.selector = selector;
  }

  static LoadGenerator connect(InetSocketAddress server, int connections) throws IOException {
    var generator = new LoadGenerator(Selector.open());
    try {
      for (int i = 0; i < connections; i++) {
        var channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        var lane = new Lane(i, channel);
        lane.key = channel.register(generator.selector, SelectionKey.OP_READ, lane);
        generator.lanes.add(lane);
      }
      return generator;
    } catch (IOException e) {
      generator.close();
      throw e;
    }
  }

  /** Runs a phase and waits for its last answers. */
  Measured run(Requests requests, Duration warmUp, Duration measured, Window window)
      throws IOException {
    var histogram = new Histogram(LATENCY_MICROS_MAX, 3);
    var others = new TreeMap<Integer, Long>();
    long opens = System.nanoTime() + warmUp.toNanos();
    long closes = opens + measured.toNanos();
    boolean open = false;
    long operations = 0;
    long openedAt = 0;
    int underWay = 0;
    for (var lane : lanes) {
      lane.begin(requests);
      underWay++;
    }
    boolean running = true;
    while (underWay > 0) {
      if (selector.select(SILENCE_MILLIS_MAX) == 0) {
        throw new IOException(
            "the server has not answered for " + SILENCE_MILLIS_MAX / 1_000 + " s");
      }
      long now = System.nanoTime();
      if (!open && running && now >= opens) {
        open = true;
        openedAt = now;
        window.opened();
      }
      if (open && now >= closes) {
        open = false;
        running = false;
        window.closed();
        closes = now;
      }
      for (var key : selector.selectedKeys()) {
        var lane = (Lane) key.attachment();
        if (key.isWritable()) {
          lane.write();
        }
        if (key.isReadable() && lane.read()) {
          requests.answered(lane.number, lane.status);
          if (open) {
            if (lane.status < 300) {
              operations++;
              long micros = (System.nanoTime() - lane.sentAt) / 1_000;
              histogram.recordValue(Math.min(micros, LATENCY_MICROS_MAX));
            } else {
              others.merge(lane.status, 1L, Long::sum);
            }
          }
          if (running) {
            lane.begin(requests);
          } else {
            underWay--;
          }
        }
      }
      selector.selectedKeys().clear();
    }
    return new Measured(operations, Duration.ofNanos(closes - openedAt), histogram, others);
  }

  @Override
  public void close() throws IOException {
    for (var lane : lanes) {
      lane.channel.close();
    }
    selector.close();
  }

  /** One connection and the request on it. */
  private static final class Lane {
    private final int number;
    private final SocketChannel channel;
    private final ResponseScanner scanner = new ResponseScanner();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 << 10);
    private SelectionKey key;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long sentAt;
    private int status;

    @SuppressWarnings("NullAway.Init") // registered right after it is made
    Lane(int number, SocketChannel channel) {
      this.number = number;
      this.channel = channel;
    }

    void begin(Requests requests) throws IOException {
      out = requests.next(number);
      scanner.reset();
      sentAt = System.nanoTime();
      write();
    }

    void write() throws IOException {
      channel.write(out);
      int interest =
          out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
      if (key.interestOps() != interest) {
        key.interestOps(interest);
      }
    }

    /** Whether the answer is complete. */
    boolean read() throws IOException {
      in.clear();
      if (channel.read(in) < 0) {
        throw new EOFException("the server closed a connection");
      }
      boolean complete = scanner.scan(in.flip());
      status = scanner.status();
      return complete;
    }
  }
}
