package dev.partita.http.server;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.util.io.pem.PemGenerationException;

/** Certificates and keys as PEM text. */
final class PemFiles {
  private PemFiles() {}

  static TlsMaterial load(Path certificates, Path key) {
    var chain = new ArrayList<X509Certificate>();
    for (Object entry : entries(certificates)) {
      if (entry instanceof X509CertificateHolder holder) {
        chain.add(certificate(certificates, holder));
      }
    }
    if (chain.isEmpty()) {
      throw new TlsMaterial.Unusable("There is no certificate in " + certificates + ".");
    }
    for (Object entry : entries(key)) {
      if (entry instanceof PrivateKeyInfo info) {
        return new TlsMaterial(privateKey(key, info), chain);
      } else if (entry instanceof PEMKeyPair pair) {
        return new TlsMaterial(privateKey(key, pair.getPrivateKeyInfo()), chain);
      }
    }
    throw new TlsMaterial.Unusable("There is no unencrypted private key in " + key + ".");
  }

  private static List<Object> entries(Path file) {
    var entries = new ArrayList<Object>();
    try (Reader reader = Files.newBufferedReader(file);
        PEMParser parser = new PEMParser(reader)) {
      for (Object entry = parser.readObject(); entry != null; entry = parser.readObject()) {
        entries.add(entry);
      }
    } catch (NoSuchFileException e) {
      throw new TlsMaterial.Unusable("There is no file " + file + ".", e);
    } catch (IOException e) {
      throw new TlsMaterial.Unusable("Cannot read " + file + " as PEM: " + e.getMessage(), e);
    }
    return entries;
  }

  private static X509Certificate certificate(Path file, X509CertificateHolder holder) {
    try {
      return new JcaX509CertificateConverter().getCertificate(holder);
    } catch (GeneralSecurityException e) {
      throw new TlsMaterial.Unusable(
          "A certificate in " + file + " is broken: " + e.getMessage(), e);
    }
  }

  /** Through the JDK's own key factories: its TLS then needs no other provider. */
  private static PrivateKey privateKey(Path file, PrivateKeyInfo info) {
    String oid = info.getPrivateKeyAlgorithm().getAlgorithm().getId();
    String algorithm = switch (oid) {
      case "1.2.840.113549.1.1.1" -> "RSA";
      case "1.2.840.10045.2.1" -> "EC";
      default -> "EdDSA";
    };
    try {
      return KeyFactory.getInstance(algorithm)
          .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsMaterial.Unusable(
          "The private key in " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** A private key, unencrypted, as PKCS #8. */
  static String text(PrivateKey key) {
    try {
      return text(List.of(new JcaPKCS8Generator(key, null)));
    } catch (PemGenerationException e) {
      throw new TlsMaterial.Unusable("Cannot write a key as PEM: " + e.getMessage(), e);
    }
  }

  /** Certificates, or what else the PEM writer knows. */
  static String text(List<?> entries) {
    var text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      for (Object entry : entries) {
        writer.writeObject(entry);
      }
    } catch (IOException e) {
      throw new TlsMaterial.Unusable("Cannot write a certificate as PEM: " + e.getMessage(), e);
    }
    return text.toString();
  }
}
