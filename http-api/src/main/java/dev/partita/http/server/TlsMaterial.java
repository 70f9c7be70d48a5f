package dev.partita.http.server;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A private key with its certificate chain: made here for a node of one's own, or brought by the user.
 *
 * @param key of the first certificate
 * @param chain the server's certificate first, as it is sent to clients
 */
public record TlsMaterial(PrivateKey key, List<X509Certificate> chain) {
  public TlsMaterial {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new Unusable("There is no certificate for the private key.");
    }
  }

  /** Where key and certificate come from. */
  public sealed interface Source {
    /** There is no HTTPS. */
    record None() implements Source {}

    /**
     * Self-signed, for localhost, the loopback addresses, this machine's name and {@code names}. Made at the first
     * start, kept in {@code folder} and used again, so that clients which trust it go on doing so.
     */
    record Generated(Path folder, List<String> names) implements Source {
      public Generated {
        names = List.copyOf(names);
      }
    }

    /** PEM files: the chain with the server's certificate first, and its unencrypted private key. */
    record Pem(Path certificates, Path key) implements Source {}

    /** A PKCS #12 file, {@code .pfx} or {@code .p12}. */
    record Pfx(Path file, String password) implements Source {}
  }

  /** The certificate or key cannot be used; the message is one line that says why. */
  public static final class Unusable extends RuntimeException {
    public Unusable(String message) {
      super(message);
    }

    public Unusable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Loads or makes it.
   *
   * @throws Unusable when a file is missing, unreadable or not what it should be
   */
  public static TlsMaterial load(Source source) {
    if (source instanceof Source.Generated generated) {
      return SelfSignedCertificate.loadOrMake(generated.folder(), generated.names());
    } else if (source instanceof Source.Pem pem) {
      return PemFiles.load(pem.certificates(), pem.key());
    } else if (source instanceof Source.Pfx pfx) {
      return PfxFile.load(pfx.file(), pfx.password());
    }
    throw new Unusable("HTTPS needs a certificate.");
  }

  /** The server's own certificate in PEM, for clients to trust. */
  public String certificatePem() {
    return PemFiles.text(List.of(chain.get(0)));
  }

  SSLContext context() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      var password = new char[0];
      store.setKeyEntry("partita", key, password, chain.toArray(new X509Certificate[0]));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, new SecureRandom());
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new Unusable(
          "The private key and the certificate do not go together: " + e.getMessage(), e);
    }
  }
}
