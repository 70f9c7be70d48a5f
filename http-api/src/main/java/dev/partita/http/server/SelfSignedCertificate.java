package dev.partita.http.server;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The certificate that a node makes for itself and keeps. */
final class SelfSignedCertificate {
  private static final String CERTIFICATE_FILE = "tls-certificate.pem";
  private static final String KEY_FILE = "tls-key.pem";
  private static final Duration LIFETIME = Duration.ofDays(3_650);

  private SelfSignedCertificate() {}

  static TlsMaterial loadOrMake(Path folder, List<String> names) {
    Path certificate = folder.resolve(CERTIFICATE_FILE);
    Path key = folder.resolve(KEY_FILE);
    if (Files.exists(certificate) && Files.exists(key)) {
      return PemFiles.load(certificate, key);
    }
    TlsMaterial made = make(subjectNames(names));
    try {
      Files.createDirectories(folder);
      // The key first: a crash in between leaves no certificate, and the next start makes both
      // anew.
      write(key, PemFiles.text(made.key()), "rw-------");
      write(certificate, made.certificatePem(), "rw-r--r--");
    } catch (IOException e) {
      throw new TlsMaterial.Unusable(
          "Cannot keep the generated certificate in " + folder + ": " + e.getMessage(), e);
    }
    return made;
  }

  private static void write(Path file, String text, String permissions) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
    }
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Set<String> subjectNames(List<String> names) {
    var all = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "::1"));
    try {
      all.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException namelessMachine) {
      // Then its name cannot be what a client uses.
    }
    all.addAll(names);
    return all;
  }

  private static TlsMaterial make(Set<String> names) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      var name = new X500Name("CN=localhost,O=Partita");
      Instant now = Instant.now();
      var builder = new JcaX509v3CertificateBuilder(
          name,
          new BigInteger(127, new SecureRandom()).add(BigInteger.ONE),
          Date.from(now.minus(Duration.ofDays(1))),
          Date.from(now.plus(LIFETIME)),
          name,
          pair.getPublic());
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      X509Certificate certificate = new JcaX509CertificateConverter()
          .getCertificate(builder.build(
              new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
      return new TlsMaterial(pair.getPrivate(), List.of(certificate));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new TlsMaterial.Unusable("Cannot make a certificate: " + e.getMessage(), e);
    }
  }

  private static GeneralNames alternatives(Set<String> names) {
    return new GeneralNames(names.stream()
        .map(name ->
            new GeneralName(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
        .toArray(GeneralName[]::new));
  }

  private static boolean isAddress(String name) {
    return name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }
}
