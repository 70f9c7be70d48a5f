package dev.partita.multijvm.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Another port for a server, as a container runtime maps one: bytes in both directions, nothing changed. */
public final class TcpForwarder implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private TcpForwarder(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  /** From any free port to {@code target}, both on loopback. */
  public static TcpForwarder to(int target) throws IOException {
    var forwarder =
        new TcpForwarder(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    daemon(forwarder::accept);
    return forwarder;
  }

  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        var outside = server.accept();
        sockets.add(outside);
        var inside = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(inside);
        daemon(() -> copy(outside, inside));
        daemon(() -> copy(inside, outside));
      }
    } catch (IOException e) {
      close(); // the forwarder was closed, or nobody listens any more
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone; closing the other says so.
    }
    sockets.remove(from);
    sockets.remove(to);
  }

  private static void daemon(Runnable task) {
    var thread = new Thread(task, "forward");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
      for (var socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
