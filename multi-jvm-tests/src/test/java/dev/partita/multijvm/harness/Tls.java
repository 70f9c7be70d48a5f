package dev.partita.multijvm.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Looks at the certificates that a server shows. */
public final class Tls {
  private Tls() {}

  /** The server's own certificate. */
  public static X509Certificate certificate(URI endpoint) {
    return chain(endpoint)[0];
  }

  /** The server's certificate and what it is signed with. */
  public static X509Certificate[] chain(URI endpoint) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Curious()}, new SecureRandom());
      try (var socket = (SSLSocket)
          context.getSocketFactory().createSocket(endpoint.getHost(), endpoint.getPort())) {
        socket.startHandshake();
        var chain = socket.getSession().getPeerCertificates();
        var certificates = new X509Certificate[chain.length];
        System.arraycopy(chain, 0, certificates, 0, chain.length);
        return certificates;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Accepts everything: what is shown is the question. */
  private static final class Curious extends X509ExtendedTrustManager {
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
