package dev.partita.persistence.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/** Loads RocksDB's native code. */
final class NativeCode {
  private NativeCode() {}

  /**
   * Unpacks the code into a folder of the store, where the next start overwrites it: in the common temporary
   * folder every process that is killed would leave 15 MB behind. Falls back to that one where the store's
   * disk is full or lets nothing execute.
   */
  static void load(Path storeDirectory) {
    try {
      Path folder = Files.createDirectories(storeDirectory.resolve("native"));
      NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    } catch (IOException | RuntimeException | UnsatisfiedLinkError e) {
      RocksDB.loadLibrary(); // throws if this fails too
    }
  }
}
