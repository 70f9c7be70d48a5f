package dev.partita.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.partita.http.Call;
import dev.partita.http.Call.Answer;
import dev.partita.http.RawClient;
import dev.partita.http.TestServer;
import dev.partita.http.protocol.AccountKeys;
import dev.partita.http.route.Settings;
import dev.partita.runtime.api.ReadConsistency.Level;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HttpServerTest {
  private static final String OWN_KEY = "b3duIGtleQ==";

  @TempDir
  Path folder;

  /** Trusts that certificate and nothing else, and checks the name in it. */
  private static HttpResponse<String> overTls(String pem, URI uri) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate(pem));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    var parameters = new SSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    HttpClient client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(context)
        .sslParameters(parameters)
        .build();
    String date = Call.date(Instant.now());
    HttpRequest request = HttpRequest.newBuilder(uri)
        .header("x-ms-date", date)
        .header(
            "authorization",
            Call.signature("GET", uri.getRawPath(), date, TestServer.KEYS.primary()))
        .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static X509Certificate certificate(String pem) throws Exception {
    return (X509Certificate) CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private HttpSettings generated(HttpSettings settings) {
    return settings.withTls(0, new TlsMaterial.Source.Generated(folder, List.of("db.local")));
  }

  @Test
  void u22TheGeneratedCertificateIsKept() throws Exception {
    String first;
    try (TestServer server = new TestServer(this::generated)) {
      first = server.get("/_partita/certificate").unsigned().expect(200).text();
      int port = server.server.tlsAddress().orElseThrow().getPort();
      for (String host : List.of("localhost", "127.0.0.1")) {
        HttpResponse<String> answer =
            overTls(first, URI.create("https://" + host + ":" + port + "/"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("https://" + host + ":" + port + "/");
      }
      server.get("/").expect(200); // plain HTTP beside it
    }
    try (TestServer server = new TestServer(this::generated)) {
      assertThat(server.get("/_partita/certificate").unsigned().expect(200).text())
          .isEqualTo(first);
    }
    assertThat(certificate(first).getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .contains("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "db.local");
    assertThat(Files.getPosixFilePermissions(folder.resolve("tls-key.pem"))).hasSize(2);
  }

  @Test
  void u78TheUsersOwnCertificateIsServed() throws Exception {
    TlsMaterial own = TlsMaterial.load(
        new TlsMaterial.Source.Generated(folder.resolve("own"), List.of("db.local")));
    Path pfx = folder.resolve("own.pfx");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "own", own.key(), "secret".toCharArray(), own.chain().toArray(new X509Certificate[0]));
    try (var out = Files.newOutputStream(pfx)) {
      store.store(out, "secret".toCharArray());
    }
    for (TlsMaterial.Source source : List.of(
        new TlsMaterial.Source.Pem(
            folder.resolve("own/tls-certificate.pem"), folder.resolve("own/tls-key.pem")),
        new TlsMaterial.Source.Pfx(pfx, "secret"))) {
      try (TestServer server = new TestServer(settings -> settings.withTls(0, source))) {
        assertThat(server.get("/_partita/certificate").unsigned().expect(200).text())
            .isEqualTo(own.certificatePem());
        int port = server.server.tlsAddress().orElseThrow().getPort();
        assertThat(overTls(own.certificatePem(), URI.create("https://localhost:" + port + "/dbs"))
                .statusCode())
            .isEqualTo(200);
      }
    }
  }

  @Test
  void unusableCertificatesSayWhy() throws IOException {
    Path text = Files.writeString(folder.resolve("x.pem"), "no PEM");
    assertThatThrownBy(
            () -> TlsMaterial.load(new TlsMaterial.Source.Pem(folder.resolve("none"), text)))
        .isInstanceOf(TlsMaterial.Unusable.class)
        .hasMessageContaining("no file");
    assertThatThrownBy(() -> TlsMaterial.load(new TlsMaterial.Source.Pem(text, text)))
        .hasMessageContaining("no certificate");
    assertThatThrownBy(() -> TlsMaterial.load(new TlsMaterial.Source.Pfx(text, "x")))
        .hasMessageContaining("PKCS #12");
  }

  @Test
  void onlyHttps() {
    try (TestServer server = new TestServer(settings -> generated(settings).withoutPlain())) {
      assertThat(server.server.plainAddress()).isEmpty();
      assertThat(server.server.tlsAddress()).isPresent();
    }
  }

  @Test
  void theEmulatorKeyStaysOnLoopback() {
    HttpSettings open = HttpSettings.of("0.0.0.0", 0, AccountKeys.of(AccountKeys.EMULATOR));
    assertThat(open.problem())
        .hasValueSatisfying(line -> assertThat(line).contains("emulator key").doesNotContain("\n"));
    assertThat(open.withEmulatorKeyAllowed(true).problem()).isEmpty();
    assertThat(HttpSettings.of("0.0.0.0", 0, AccountKeys.of(OWN_KEY)).problem()).isEmpty();
    for (String host : List.of("127.0.0.1", "localhost", "::1")) {
      assertThat(HttpSettings.of(host, 0, AccountKeys.of(AccountKeys.EMULATOR)).problem())
          .as(host)
          .isEmpty();
    }
    assertThat(open.withoutPlain().problem()).isPresent();
  }

  @Test
  void aTakenPortFailsTheStartAndLeavesNothingOpen() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> new TestServer(settings -> settings.withTls(
              taken.getLocalPort(), new TlsMaterial.Source.Generated(folder, List.of()))))
          .hasStackTraceContaining("Bind failed");
    }
  }

  @Test
  @Timeout(60)
  void aFloodIsRefusedAtTheDoor() throws Exception {
    Settings one = new Settings(
        Level.SESSION,
        OptionalInt.empty(),
        1,
        1_000_000,
        Duration.ofSeconds(30),
        Duration.ofMillis(7),
        100,
        1_000_000,
        Duration.ofSeconds(1));
    try (TestServer server = new TestServer(settings -> settings.withRoutes(one))) {
      server.createContainer(1);
      try (Socket slow = halfARequest(server, 100)) {
        await().untilAsserted(() -> {
          Answer refused = server.get("/dbs").expect(429);
          assertThat(refused.header("x-ms-retry-after-ms")).isEqualTo("7");
          assertThat(refused.substatus()).isEqualTo("3200");
        });
        server.get("/_partita/health").unsigned().expect(200);
        assertThat(slow.isClosed()).isFalse();
      }
      await().untilAsserted(() -> server.get("/dbs").expect(200));
      server.post("/dbs", "{\"id\":\"" + "x".repeat(1_500_000) + "\"}").expect(429);
    }
  }

  /** Headers and no body yet. */
  private static Socket halfARequest(TestServer server, int length) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    String date = Call.date(Instant.now());
    socket
        .getOutputStream()
        .write(("POST /dbs HTTP/1.1\r\nHost: x\r\nx-ms-date: " + date + "\r\nauthorization: "
                + Call.signature("POST", "/dbs", date, TestServer.KEYS.primary())
                + "\r\nContent-Length: " + length + "\r\n\r\n{")
            .getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  @Test
  @Timeout(60)
  void aBodyThatDoesNotComeIsNotWaitedForForEver() throws Exception {
    Settings hasty = new Settings(
        Level.SESSION,
        OptionalInt.empty(),
        10,
        1_000_000,
        Duration.ofMillis(300),
        Duration.ofMillis(7),
        100,
        1_000_000,
        Duration.ofSeconds(1));
    try (TestServer server = new TestServer(settings -> settings.withRoutes(hasty));
        Socket slow = halfARequest(server, 100)) {
      slow.setSoTimeout(20_000);
      var start = new byte[15];
      slow.getInputStream().readNBytes(start, 0, start.length);
      assertThat(new String(start, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408 Re");
    }
  }

  @Test
  void aBodyInChunksIsRead() throws Exception {
    try (TestServer server = new TestServer()) {
      String date = Call.date(Instant.now());
      String head =
          "POST /dbs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nx-ms-date: "
              + date + "\r\nauthorization: "
              + Call.signature("POST", "/dbs", date, TestServer.KEYS.primary()) + "\r\n\r\n";
      Answer made = RawClient.send(
          server.port(),
          (head + "5\r\n{\"id\"\r\n5\r\n:\"x\"}\r\n0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      assertThat(made.status()).isEqualTo(201);
    }
  }

  @Test
  void theAccountLevelIsASetting() {
    Settings d = Settings.DEFAULTS;
    Settings strong = new Settings(
        Level.STRONG,
        d.physicalPartitions(),
        d.requestsInFlightMax(),
        d.bodyBytesInFlightMax(),
        d.bodyTimeout(),
        d.retryAfter(),
        d.pageItemsMax(),
        d.pageBytesMax(),
        d.pageTime());
    try (TestServer server = new TestServer(settings -> settings.withRoutes(strong))) {
      assertThat(server
              .get("/")
              .expect(200)
              .json()
              .at("/userConsistencyPolicy/defaultConsistencyLevel")
              .asText())
          .isEqualTo("Strong");
      server.createContainer(1);
      server
          .get("/dbs/d/colls/c/docs")
          .header("x-ms-consistency-level", "BoundedStaleness")
          .expect(200);
    }
  }

  @Test
  void u23AnotherHostThanOursIsRepeated() throws Exception {
    try (TestServer server = new TestServer()) {
      String date = Call.date(Instant.now());
      Answer account = RawClient.send(
          server.port(),
          "GET",
          "/",
          Map.of(
              "Host",
              "db.example:18081",
              "x-ms-date",
              date,
              "authorization",
              Call.signature("GET", "/", date, TestServer.KEYS.primary())),
          new byte[0]);
      assertThat(
              account.json().at("/writableLocations/0/databaseAccountEndpoint").asText())
          .isEqualTo("http://db.example:18081/");
    }
  }
}
