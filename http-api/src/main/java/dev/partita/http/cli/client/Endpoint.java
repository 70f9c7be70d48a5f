package dev.partita.http.cli.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Where a node listens. */
public final class Endpoint {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final URI uri;
  private final @Nullable SSLContext tls;

  private Endpoint(URI uri, @Nullable SSLContext tls) {
    this.uri = uri;
    this.tls = tls;
  }

  /**
   * Reads an endpoint such as {@code http://127.0.0.1:8081/}.
   *
   * @param insecure whether any certificate will do
   * @throws CommandFailure if the text is something else
   */
  public static Endpoint parse(String text, boolean insecure) {
    var failure = "'" + text + "' is not an endpoint: write for example http://127.0.0.1:8081/";
    try {
      var uri = new URI(text);
      boolean https = "https".equalsIgnoreCase(uri.getScheme());
      boolean plainPath = uri.getRawPath() == null
          || uri.getRawPath().isEmpty()
          || uri.getRawPath().equals("/");
      boolean known = https || "http".equalsIgnoreCase(uri.getScheme());
      if (!known || uri.getHost() == null || !plainPath) {
        throw new CommandFailure(failure);
      }
      return new Endpoint(uri, https ? tls(insecure) : null);
    } catch (URISyntaxException e) {
      throw new CommandFailure(failure, e);
    }
  }

  private static SSLContext tls(boolean insecure) {
    try {
      if (!insecure) {
        return SSLContext.getDefault();
      }
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustAnyone()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new CommandFailure("TLS is not available in this Java: " + e.getMessage(), e);
    }
  }

  public String host() {
    return uri.getHost().replaceAll("^\\[|]$", "");
  }

  /** The port, 80 or 443 when none is written. */
  public int port() {
    return uri.getPort() >= 0 ? uri.getPort() : tls == null ? 80 : 443;
  }

  /** Value of the {@code Host} header. */
  public String authority() {
    return uri.getRawAuthority();
  }

  /** Opens a connection. */
  public HttpConnection open() throws IOException {
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(host(), port()), (int) CONNECT_TIMEOUT.toMillis());
      socket.setSoTimeout((int) ANSWER_TIMEOUT.toMillis());
      return new HttpConnection(tls == null ? socket : encrypted(tls, socket), authority());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private Socket encrypted(SSLContext context, Socket socket) throws IOException {
    var encrypted =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host(), port(), true);
    var parameters = encrypted.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    encrypted.setSSLParameters(parameters);
    encrypted.startHandshake();
    return encrypted;
  }

  @Override
  public String toString() {
    return uri.toString();
  }

  /** What {@code --insecure} asks for: the certificate of a development node is its own. */
  private static final class TrustAnyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
