package dev.partita.persistence.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A real directory. */
final class DiskFiles implements LogFiles {
  private static final String LOCK_NAME = "LOCK";

  /**
   * Directories locked by this process. Asked before the lock file is opened: closing any channel of
   * that file would give up the lock of the process.
   */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

  private final Path directory;

  DiskFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public Closeable lock() throws IOException {
    Files.createDirectories(directory);
    var real = directory.toRealPath();
    if (!LOCKED.add(real)) {
      throw inUse("another log of this process");
    }
    try {
      var channel = lockedChannel();
      return () -> {
        channel.close();
        LOCKED.remove(real);
      };
    } catch (IOException | RuntimeException e) {
      LOCKED.remove(real);
      throw e;
    }
  }

  private FileChannel lockedChannel() throws IOException {
    var channel = FileChannel.open(
        directory.resolve(LOCK_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw inUse("another process");
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private LogException.Locked inUse(String by) {
    return new LogException.Locked(
        "the log in %s is in use by %s: stop that first, or choose another directory"
            .formatted(directory, by));
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Override
  public LogFile create(String name) throws IOException {
    return new ChannelFile(FileChannel.open(
        directory.resolve(name),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE));
  }

  @Override
  public LogFile open(String name) throws IOException {
    return new ChannelFile(FileChannel.open(
        directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(directory.resolve(name));
  }

  @Override
  public void syncDirectory() throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  @Override
  public String path(String name) {
    return directory.resolve(name).toString();
  }

  private record ChannelFile(FileChannel channel) implements LogFile {

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      long at = position;
      while (target.hasRemaining()) {
        int count = channel.read(target, at);
        if (count < 0) {
          return;
        }
        at += count;
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public long sizeBytes() throws IOException {
      return channel.size();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
