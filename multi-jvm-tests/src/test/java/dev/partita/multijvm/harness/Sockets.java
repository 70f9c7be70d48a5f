package dev.partita.multijvm.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The TCP sockets of a process, as Linux shows them. */
public final class Sockets {
  private Sockets() {}

  /** The near end of a socket. */
  public record Socket(InetAddress local, int port) {}

  /** All TCP sockets of a process, listening or connected. */
  public static List<Socket> of(long pid) throws IOException {
    var process = Path.of("/proc", String.valueOf(pid));
    var inodes = inodes(process.resolve("fd"));
    var sockets = new ArrayList<Socket>();
    for (var table : List.of("net/tcp", "net/tcp6")) {
      for (var line : Files.readAllLines(process.resolve(table))) {
        var fields = line.strip().split("\\s+", -1);
        if (inodes.contains(fields[9])) {
          var local = fields[1].split(":", -1);
          sockets.add(new Socket(address(local[0]), Integer.parseInt(local[1], 16)));
        }
      }
    }
    return sockets;
  }

  private static Set<String> inodes(Path descriptors) throws IOException {
    var inodes = new HashSet<String>();
    try (var entries = Files.list(descriptors)) {
      for (var entry : entries.toList()) {
        var target = Files.exists(entry) || Files.isSymbolicLink(entry)
            ? Files.readSymbolicLink(entry).toString()
            : "";
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    return inodes;
  }

  /** Words of four bytes, each in the order of the machine: little-endian on all that we know. */
  private static InetAddress address(String hex) throws IOException {
    var bytes = HexFormat.of().parseHex(hex);
    for (int word = 0; word < bytes.length; word += 4) {
      byte first = bytes[word];
      bytes[word] = bytes[word + 3];
      bytes[word + 3] = first;
      byte second = bytes[word + 1];
      bytes[word + 1] = bytes[word + 2];
      bytes[word + 2] = second;
    }
    return InetAddress.getByAddress(bytes);
  }
}
