package dev.partita.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A PKCS #12 file with one private key and its chain. */
final class PfxFile {
  private PfxFile() {}

  static TlsMaterial load(Path file, String password) {
    char[] secret = password.toCharArray();
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, secret);
      for (String alias : Collections.list(store.aliases())) {
        if (store.getKey(alias, secret) instanceof PrivateKey key) {
          return new TlsMaterial(key, chain(store.getCertificateChain(alias)));
        }
      }
      throw new TlsMaterial.Unusable("There is no private key in " + file + ".");
    } catch (NoSuchFileException e) {
      throw new TlsMaterial.Unusable("There is no file " + file + ".", e);
    } catch (IOException | GeneralSecurityException e) {
      throw new TlsMaterial.Unusable(
          "Cannot read " + file + " as PKCS #12 (wrong password?): " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> chain(Certificate[] certificates) {
    return Arrays.stream(certificates).map(X509Certificate.class::cast).toList();
  }
}
