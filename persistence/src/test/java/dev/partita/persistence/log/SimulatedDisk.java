package dev.partita.persistence.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A directory in memory that loses power: of what was written and not synced, each sector survives or
 * not, by chance; of the names that changed and were not synced, a prefix of the changes survives.
 * The operation at which the power goes is given; that one and all later ones fail.
 */
final class SimulatedDisk implements LogFiles {
  private static final int SECTOR_BYTES = 512;

  private final Random random;
  private final TreeMap<String, Content> names;
  private final List<Runnable> unsyncedNames = new ArrayList<>();
  private TreeMap<String, Content> durableNames;
  private long operationsLeft = Long.MAX_VALUE;
  private long usableBytes = Long.MAX_VALUE;
  private boolean forceFails;
  private long operations;

  private static final class Content {
    private byte[] bytes = {};
    private byte[] durable = {};
  }

  SimulatedDisk(long seed) {
    this(new Random(seed), new TreeMap<>());
  }

  private SimulatedDisk(Random random, Map<String, Content> names) {
    this.random = random;
    this.names = new TreeMap<>(names);
    this.durableNames = new TreeMap<>(names);
  }

  synchronized void losePowerAfter(long count) {
    operationsLeft = count;
  }

  synchronized void usableBytes(long bytes) {
    usableBytes = bytes;
  }

  synchronized void failForces() {
    forceFails = true;
  }

  synchronized long operations() {
    return operations;
  }

  /** The disk as it is found when the power is back. */
  synchronized SimulatedDisk afterPowerLoss() {
    int surviving = unsyncedNames.isEmpty() ? 0 : random.nextInt(unsyncedNames.size() + 1);
    unsyncedNames.subList(0, surviving).forEach(Runnable::run);
    var found = new TreeMap<String, Content>();
    Map<Content, Content> copies = new HashMap<>();
    durableNames.forEach(
        (name, content) -> found.put(name, copies.computeIfAbsent(content, this::survivor)));
    return new SimulatedDisk(random, found);
  }

  private Content survivor(Content content) {
    var survivor = new Content();
    int sizeBytes = content.durable.length == content.bytes.length || random.nextBoolean()
        ? content.bytes.length
        : content.durable.length;
    survivor.bytes = new byte[sizeBytes];
    for (int at = 0; at < sizeBytes; at += SECTOR_BYTES) {
      byte[] source = random.nextBoolean() ? content.bytes : content.durable;
      int length = Math.min(SECTOR_BYTES, Math.min(sizeBytes, source.length) - at);
      if (length > 0) {
        System.arraycopy(source, at, survivor.bytes, at, length);
      }
    }
    survivor.durable = survivor.bytes.clone();
    return survivor;
  }

  private static Content survivorOf(byte[] bytes) {
    var content = new Content();
    content.bytes = bytes;
    content.durable = bytes.clone();
    return content;
  }

  private void operation() throws IOException {
    operations++;
    if (operationsLeft <= 0) {
      throw new IOException("no power");
    }
    operationsLeft--;
  }

  @Override
  public Closeable lock() {
    return () -> {};
  }

  @Override
  public synchronized List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public synchronized LogFile create(String name) throws IOException {
    operation();
    var content = new Content();
    names.put(name, content);
    unsyncedNames.add(() -> durableNames.put(name, content));
    return new File(content);
  }

  @Override
  public synchronized LogFile open(String name) {
    return new File(names.get(name));
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    operation();
    var content = names.remove(from);
    names.put(to, content);
    unsyncedNames.add(() -> {
      durableNames.remove(from);
      durableNames.put(to, content);
    });
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    operation();
    names.remove(name);
    unsyncedNames.add(() -> durableNames.remove(name));
  }

  @Override
  public synchronized void syncDirectory() throws IOException {
    operation();
    durableNames = new TreeMap<>(names);
    unsyncedNames.clear();
  }

  @Override
  public synchronized long usableBytes() {
    return usableBytes;
  }

  @Override
  public String path(String name) {
    return "/simulated/" + name;
  }

  synchronized byte[] bytes(String name) {
    return names.get(name).bytes.clone();
  }

  /** Changes a byte behind the log's back. */
  synchronized void flip(String name, int at) {
    names.get(name).bytes[at] ^= 1;
  }

  /** A disk with the same files, of which one has other bytes. */
  synchronized SimulatedDisk with(String name, byte[] bytes) {
    var files = new TreeMap<String, Content>();
    names.forEach((other, content) -> files.put(other, survivorOf(content.bytes.clone())));
    files.put(name, survivorOf(bytes));
    return new SimulatedDisk(random, files);
  }

  synchronized SimulatedDisk without(String name) {
    var files = new TreeMap<>(names);
    files.remove(name);
    return new SimulatedDisk(random, files);
  }

  private final class File implements LogFile {
    private final Content content;

    private File(Content content) {
      this.content = content;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      synchronized (SimulatedDisk.this) {
        IOException powerLoss = null;
        try {
          operation();
        } catch (IOException e) {
          powerLoss = e; // the write may still have begun
        }
        int end = Math.toIntExact(position) + source.remaining();
        if (content.bytes.length < end) {
          content.bytes = Arrays.copyOf(content.bytes, end);
        }
        if (powerLoss == null || operationsLeft-- == 0) {
          source.get(content.bytes, Math.toIntExact(position), source.remaining());
        }
        if (powerLoss != null) {
          throw powerLoss;
        }
      }
    }

    @Override
    public void read(ByteBuffer target, long position) {
      synchronized (SimulatedDisk.this) {
        int length = (int) Math.min(target.remaining(), content.bytes.length - position);
        target.put(content.bytes, Math.toIntExact(position), length);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (SimulatedDisk.this) {
        operation();
        if (forceFails) {
          throw new IOException("Input/output error");
        }
        content.durable = content.bytes.clone();
      }
    }

    @Override
    public long sizeBytes() {
      synchronized (SimulatedDisk.this) {
        return content.bytes.length;
      }
    }

    @Override
    public void close() {}
  }
}
