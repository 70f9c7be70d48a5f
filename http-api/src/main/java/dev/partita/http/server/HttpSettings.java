package dev.partita.http.server;

import dev.partita.http.protocol.AccountKeys;
import dev.partita.http.route.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the HTTP server is told. Begin with {@link #of} and change what differs.
 *
 * @param host name or address to listen on
 * @param port for plain HTTP, 0 for any free one; empty for none
 * @param tlsPort for HTTPS, 0 for any free one; empty for none
 * @param tls where the certificate comes from, needed for HTTPS
 * @param keys the account's keys
 * @param emulatorKeyAllowed whether the public emulator key is accepted beyond loopback
 * @param clock what the dates of requests are compared with
 * @param skewMax how far the date of a request may be from the clock
 * @param connectionsMax connections at once; more wait in the backlog
 * @param backlog connections that wait to be accepted
 * @param idleTimeout after which an idle connection is closed; clients keep theirs for 60 s, so longer than that
 * @param routes what the routes are told
 */
public record HttpSettings(
    String host,
    OptionalInt port,
    OptionalInt tlsPort,
    TlsMaterial.Source tls,
    AccountKeys keys,
    boolean emulatorKeyAllowed,
    InstantSource clock,
    Duration skewMax,
    int connectionsMax,
    int backlog,
    Duration idleTimeout,
    Settings routes) {

  /** Plain HTTP on one port, everything else at its default. */
  public static HttpSettings of(String host, int port, AccountKeys keys) {
    return new HttpSettings(
        host,
        OptionalInt.of(port),
        OptionalInt.empty(),
        new TlsMaterial.Source.None(),
        keys,
        false,
        InstantSource.system(),
        Duration.ofMinutes(15),
        4_096,
        1_024,
        Duration.ofMinutes(3),
        Settings.DEFAULTS);
  }

  /** With HTTPS on another port, 0 for any free one. */
  public HttpSettings withTls(int port, TlsMaterial.Source source) {
    return new HttpSettings(
        host,
        this.port,
        OptionalInt.of(port),
        source,
        keys,
        emulatorKeyAllowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** Without plain HTTP. */
  public HttpSettings withoutPlain() {
    return new HttpSettings(
        host,
        OptionalInt.empty(),
        tlsPort,
        tls,
        keys,
        emulatorKeyAllowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** With the public emulator key accepted on every address. */
  public HttpSettings withEmulatorKeyAllowed(boolean allowed) {
    return new HttpSettings(
        host,
        port,
        tlsPort,
        tls,
        keys,
        allowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** With another clock. */
  public HttpSettings withClock(InstantSource clock, Duration skewMax) {
    return new HttpSettings(
        host,
        port,
        tlsPort,
        tls,
        keys,
        emulatorKeyAllowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** With other limits of sockets. */
  public HttpSettings withConnections(int connectionsMax, int backlog, Duration idleTimeout) {
    return new HttpSettings(
        host,
        port,
        tlsPort,
        tls,
        keys,
        emulatorKeyAllowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** With other settings of the routes. */
  public HttpSettings withRoutes(Settings routes) {
    return new HttpSettings(
        host,
        port,
        tlsPort,
        tls,
        keys,
        emulatorKeyAllowed,
        clock,
        skewMax,
        connectionsMax,
        backlog,
        idleTimeout,
        routes);
  }

  /** What is wrong, in one line that says what to do; empty when nothing is. */
  public Optional<String> problem() {
    if (port.isEmpty() && tlsPort.isEmpty()) {
      return Optional.of("Nothing to listen on: give a port for HTTP or HTTPS.");
    }
    if (tlsPort.isPresent() && tls instanceof TlsMaterial.Source.None) {
      return Optional.of(
          "HTTPS needs a certificate: have one generated, or name a PEM or PFX file.");
    }
    if (keys.includesEmulatorKey() && !emulatorKeyAllowed && !isLoopback(host)) {
      return Optional.of("The well-known emulator key is public, so it is not accepted on " + host
          + ": listen on 127.0.0.1, choose a key of your own, or set"
          + " partita.http.emulator-key-beyond-loopback = on.");
    }
    return Optional.empty();
  }

  private static boolean isLoopback(String host) {
    try {
      InetAddress[] addresses = InetAddress.getAllByName(host);
      return List.of(addresses).stream().allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException unknown) {
      return false;
    }
  }
}
