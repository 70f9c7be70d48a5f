package dev.partita.persistence;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system of a few megabytes in memory, mounted for one test; skips it where mounting is not allowed. */
public final class SmallDisk implements AutoCloseable {
  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  public static SmallDisk mount(Path folder, int sizeMiB) throws IOException {
    Files.createDirectories(folder);
    boolean mounted;
    try {
      mounted =
          run("mount", "-t", "tmpfs", "-o", "size=" + sizeMiB + "m", "tmpfs", folder.toString());
    } catch (IOException e) {
      mounted = false;
    }
    Assumptions.assumeTrue(mounted, "needs the right to mount a file system");
    return new SmallDisk(folder);
  }

  public Path folder() {
    return folder;
  }

  /** Writes a file until there is no space left; deleting it frees the space. */
  public Path fill() throws IOException {
    Path filler = folder.resolve("filler");
    try (OutputStream out = Files.newOutputStream(filler)) {
      var block = new byte[4 << 10];
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      return filler;
    }
  }

  public void makeReadOnly() throws IOException {
    Assumptions.assumeTrue(run("mount", "-o", "remount,ro", folder.toString()), "cannot remount");
  }

  @Override
  public void close() throws IOException {
    if (!run("umount", folder.toString())) {
      throw new IOException("cannot unmount " + folder);
    }
  }

  private static boolean run(String... command) throws IOException {
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try {
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
