package dev.partita.multijvm.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.partita.multijvm.harness.Nodes;
import dev.partita.multijvm.harness.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** U78: the user's own certificate, for a name of the user's own, signed by an authority of the user's own. */
class CertificateIT {
  private static final String NAME = "db.local";
  private static final String PASSWORD = "changeit";

  @RegisterExtension
  final Nodes nodes = Nodes.ofOneTest();

  private Path pfx;
  private Path pem;
  private KeyStore store;

  @BeforeEach
  void makeCertificate() throws Exception {
    var directory = nodes.directory();
    pfx = directory.resolve("db.pfx");
    var authority = directory.resolve("authority.pfx");
    var request = directory.resolve("request.pem");
    var signed = directory.resolve("signed.pem");
    var root = directory.resolve("root.pem");
    keytool(
        authority,
        "-genkeypair",
        "-alias",
        "ca",
        "-keyalg",
        "EC",
        "-dname",
        "CN=Test CA",
        "-ext",
        "bc:c");
    keytool(authority, "-exportcert", "-alias", "ca", "-rfc", "-file", root.toString());
    keytool(
        pfx,
        "-genkeypair",
        "-alias",
        "db",
        "-keyalg",
        "RSA",
        "-keysize",
        "2048",
        "-dname",
        "CN=" + NAME);
    keytool(pfx, "-certreq", "-alias", "db", "-file", request.toString());
    keytool(
        authority,
        "-gencert",
        "-alias",
        "ca",
        "-rfc",
        "-ext",
        "san=dns:" + NAME,
        "-infile",
        request.toString(),
        "-outfile",
        signed.toString());
    keytool(
        pfx, "-importcert", "-noprompt", "-trustcacerts", "-alias", "ca", "-file", root.toString());
    keytool(pfx, "-importcert", "-noprompt", "-alias", "db", "-file", signed.toString());
    keytool(pfx, "-delete", "-alias", "ca");
    store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(pfx)) {
      store.load(in, PASSWORD.toCharArray());
    }
    pem = Files.writeString(directory.resolve("db.pem"), pemText());
  }

  @Test
  void pemIsServed() throws Exception {
    serves(pem);
  }

  @Test
  void pfxIsServed() throws Exception {
    serves(pfx, "-Dpartita.http.certificate-password=" + PASSWORD);
  }

  private void serves(Path file, String... options) throws Exception {
    var node = nodes
        .create(
            Map.of("PARTITA_JAVA_OPTS", String.join(" ", options)),
            "--tls",
            "--certificate",
            file.toString())
        .start();
    assertThat(Tls.chain(node.httpsEndpoint())).containsExactly(chain());
    assertThatCode(() -> handshakeAs(NAME, node.httpsEndpoint().getPort()))
        .doesNotThrowAnyException();

    var request = HttpRequest.newBuilder(URI.create(node.endpoint() + "_partita/certificate"))
        .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    var published = CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(answer.body()));
    assertThat(published.iterator().next()).isEqualTo(chain()[0]);
    assertThat(new String(answer.body(), StandardCharsets.US_ASCII)).doesNotContain("PRIVATE");
  }

  /** A client that trusts the authority and checks the name, as clients do. */
  private void handshakeAs(String name, int port) throws IOException, GeneralSecurityException {
    var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", chain()[1]);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (var plain = new Socket(InetAddress.getLoopbackAddress(), port);
        var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true)) {
      var parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    }
  }

  private X509Certificate[] chain() throws GeneralSecurityException {
    return Stream.of(store.getCertificateChain("db"))
        .map(X509Certificate.class::cast)
        .toArray(X509Certificate[]::new);
  }

  private String pemText() throws GeneralSecurityException {
    var certificates = Stream.of(store.getCertificateChain("db"))
        .map(CertificateIT::pem)
        .collect(Collectors.joining());
    return certificates
        + block("PRIVATE KEY", store.getKey("db", PASSWORD.toCharArray()).getEncoded());
  }

  private static String pem(Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String block(String what, byte[] der) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }

  private static void keytool(Path store, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s said: %s", command, output).isZero();
  }
}
