package dev.partita.persistence.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The log's view of its directory, and the seam at which tests make a disk fail. */
interface LogFiles {

  /** Takes the exclusive lock of the directory, creating the directory if needed. */
  Closeable lock() throws IOException;

  List<String> list() throws IOException;

  /** Creates an empty file, replacing one of the same name. */
  LogFile create(String name) throws IOException;

  LogFile open(String name) throws IOException;

  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Makes creations, renames and deletions durable. */
  void syncDirectory() throws IOException;

  long usableBytes() throws IOException;

  /** The full path of a file, for messages. */
  String path(String name);

  /** A file that is read and written at positions, by several threads. */
  interface LogFile extends Closeable {

    /** Writes all remaining bytes. */
    void write(ByteBuffer source, long position) throws IOException;

    /** Reads until the target is full or the file ends. */
    void read(ByteBuffer target, long position) throws IOException;

    void force() throws IOException;

    long sizeBytes() throws IOException;
  }
}
