package dev.partita.http.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestSignerTest {
  private final RequestSigner signer = RequestSigner.of(RequestSigner.WELL_KNOWN_KEY);

  /** Signatures that the public SDKs make. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          GET | '' | '' | Mon, 30 Nov 2026 15:00:42 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DmbReCDUQeFH3v4A6DLFDYBYYntuD0odb8Gl%2Bl4cCbnI%3D
          GET | dbs | '' | Thu, 27 Apr 2017 00:51:12 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DBk4MqbjRdQImb4Rqp5pmqv1%2FOhkMQU93qlTmk%2FSzVRQ%3D
          POST | colls | dbs/db1 | Thu, 27 Apr 2017 00:51:12 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DhJHjyHLMnQM5Sz7fnbOwAIrKGtJUopEXdu4%2BfIm6%2BeA%3D
          GET | colls | dbs/db1/colls/c1 | Mon, 30 Nov 2026 15:00:42 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DDh1v1YhZ%2F24miJOe6oqTLthxwtFZFNnSlHqZGbIeWk8%3D
          GET | pkranges | dbs/db1/colls/c1 | Thu, 27 Apr 2017 00:51:12 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DmKC5V5rMpFbyKbdSm6yDOQOKVQEvFGaJDcisxv4h8Kg%3D
          POST | docs | dbs/db1/colls/c1 | Mon, 30 Nov 2026 15:00:42 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DL5Z%2BT1O78wRmKq%2Fg96ESL4F7HEsx9lNFuHvtxO7bduU%3D
          GET | docs | dbs/db1/colls/c1 | Thu, 27 Apr 2017 00:51:12 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DGHbmO0URicZVytaL5mmSrzUf3OQAvZTm5pCgRPhMA3k%3D
          GET | docs | dbs/db1/colls/c1/docs/Item-1 | Mon, 30 Nov 2026 15:00:42 GMT | type%3Dmaster%26ver%3D1.0%26sig%3D5ULHH1KodJbuza%2B5EKR7Bq4%2FLnzGuvjt4w5I7YiWSR0%3D
          PUT | docs | dbs/db1/colls/c1/docs/Item-1 | Thu, 27 Apr 2017 00:51:12 GMT | type%3Dmaster%26ver%3D1.0%26sig%3DG2Nwa0Giw6dSiTgO1SrX1VYx3qW5%2BGL02ANDShnPMPc%3D
          """)
  void signsAsTheSdksDo(String verb, String type, String link, String date, String authorization) {
    assertThat(signer.authorization(verb, type, link, date)).isEqualTo(authorization);
  }

  @Test
  void dateIsRfc1123() {
    assertThat(RequestSigner.date(Instant.parse("2026-12-01T05:06:07.9Z")))
        .isEqualTo("Tue, 01 Dec 2026 05:06:07 GMT");
  }
}
