package dev.partita.persistence.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock on a data directory: the operating system gives it back when the process ends, however it
 * ends. The file names the holder, for the message that another process prints.
 */
final class DirectoryLock implements AutoCloseable {
  static final String FILE = "partita.lock";

  /**
   * What this process holds. Asked before the file is touched: POSIX drops a lock of a process when the process
   * closes <em>any</em> descriptor of the file.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static DirectoryLock acquire(Path directory) throws IOException {
    Path real = directory.toRealPath();
    if (!HELD_HERE.add(real)) {
      throw Failures.locked(directory, "this process");
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(
          real.resolve(FILE),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
      @Nullable FileLock lock = channel.tryLock();
      if (lock == null) {
        throw Failures.locked(directory, holder(channel));
      }
      channel.truncate(0);
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      return new DirectoryLock(real, channel);
    } catch (IOException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      HELD_HERE.remove(real);
      throw e;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    int length = Math.max(0, channel.read(text, 0));
    String pid = new String(text.array(), 0, length, StandardCharsets.US_ASCII);
    return pid.matches("[0-9]+")
        ? "process " + pid
        : "another process"; // it may not have written it yet
  }

  @Override
  public void close() throws IOException {
    channel.close(); // and with it the lock
    HELD_HERE.remove(directory);
  }
}
