package dev.partita.persistence.directory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The folder where a node keeps everything, locked for this process while it is open.
 *
 * <p>The first thing that becomes durable in a new one are the uids of its stores, with the format version: from
 * then on the folder is a data directory. Whatever a crash leaves of a creation, the next opening completes. What
 * changes afterwards is in one file that is replaced as a whole and durable before the change is reported.
 *
 * <p>Safe for use by many threads. Every method may throw a {@link DataDirectoryException}.
 */
public final class DataDirectory implements AutoCloseable {
  /** The format that this version writes, and the newest that it reads. */
  public static final int FORMAT = 1;

  static final String FORMAT_FILE = "partita.format";
  static final String STATE_FILE = "partita.state";
  private static final List<String> FOLDERS = List.of("log", "store", "snapshots", "tls");

  /** What may lie in a folder that is to become a data directory; {@code lost+found} is in every new disk. */
  private static final Set<String> HARMLESS =
      Set.of(DirectoryLock.FILE, FORMAT_FILE + RecordFile.TEMPORARY_SUFFIX, "lost+found");

  private final Path directory;
  private final DirectoryLock lock;
  private final List<String> storeUids;
  private final RecordFile stateFile;
  private NodeState state;
  private boolean closed;

  private DataDirectory(
      Path directory,
      DirectoryLock lock,
      List<String> storeUids,
      RecordFile stateFile,
      NodeState state) {
    this.directory = directory;
    this.lock = lock;
    this.storeUids = storeUids;
    this.stateFile = stateFile;
    this.state = state;
  }

  /**
   * Opens a data directory, or makes one of an empty or missing folder, and counts the opening.
   *
   * @param directory the folder
   * @param newStoreCount how many stores a new directory gets, 1 or more; an existing one keeps its own
   * @param clusterId the cluster it must belong to, 32 lower-case hexadecimal digits; a directory that belongs to
   *     none yet then belongs to this one. Empty: any.
   */
  public static DataDirectory open(Path directory, int newStoreCount, Optional<String> clusterId) {
    if (newStoreCount < 1) {
      throw new IllegalArgumentException("a node has 1 store or more, not " + newStoreCount);
    }
    clusterId.ifPresent(NodeState::requireId);
    try {
      prepareFolder(directory);
      DirectoryLock lock = DirectoryLock.acquire(directory);
      try {
        return open(directory, lock, newStoreCount, clusterId);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw Failures.failed(directory, e);
    }
  }

  private static DataDirectory open(
      Path directory, DirectoryLock lock, int newStoreCount, Optional<String> clusterId)
      throws IOException {
    var formatFile = new RecordFile(directory.resolve(FORMAT_FILE));
    if (!formatFile.exists()) {
      formatFile.write(newFormat(newStoreCount));
    }
    List<String> storeUids = storeUids(directory, formatFile);
    var stateFile = new RecordFile(directory.resolve(STATE_FILE));
    NodeState state = stateFile.exists() ? stateOf(stateFile) : firstState(directory, stateFile);
    NodeState opened =
        clusterId.map(id -> joined(directory, state, id)).orElse(state).booted();
    for (String folder : FOLDERS) {
      Files.createDirectories(directory.resolve(folder));
    }
    stateFile.write(opened.values()); // which also syncs the names of the folders
    return new DataDirectory(directory, lock, storeUids, stateFile, opened);
  }

  /** Makes the folder unless it is there. Writes nothing into one that is somebody else's. */
  private static void prepareFolder(Path directory) throws IOException {
    createFolder(directory);
    if (Files.exists(directory.resolve(FORMAT_FILE))) {
      return;
    }
    if (Files.exists(directory.resolve(STATE_FILE))) {
      throw Failures.damaged(directory.resolve(FORMAT_FILE), "the file is missing");
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (!HARMLESS.contains(entry.getFileName().toString())) {
          throw Failures.foreign(directory, entry);
        }
      }
    }
  }

  private static void createFolder(Path directory) throws IOException {
    Path existing = directory.toAbsolutePath();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing != null && !Files.isDirectory(existing)) {
      throw Failures.notADirectory(existing);
    }
    if (!Files.exists(directory)) {
      Files.createDirectories(directory);
      RecordFile.syncName(directory);
    }
  }

  private static Map<String, String> newFormat(int storeCount) {
    var random = new SecureRandom();
    List<String> uids = IntStream.range(0, storeCount)
        .mapToObj(i -> {
          byte[] uid = new byte[16];
          random.nextBytes(uid);
          return HexFormat.of().formatHex(uid);
        })
        .toList();
    var values = new LinkedHashMap<String, String>();
    values.put("format", Integer.toString(FORMAT));
    values.put("stores", String.join(",", uids));
    return values;
  }

  private static List<String> storeUids(Path directory, RecordFile file) throws IOException {
    Map<String, String> values = file.read();
    try {
      int format = Integer.parseInt(values.getOrDefault("format", ""));
      if (format > FORMAT) {
        throw Failures.newerFormat(directory, format, FORMAT);
      }
      List<String> uids = List.of(values.getOrDefault("stores", "").split(",", -1));
      uids.forEach(NodeState::requireId);
      return uids;
    } catch (IllegalArgumentException e) {
      throw Failures.damaged(file.path(), String.valueOf(e.getMessage()));
    }
  }

  private static NodeState stateOf(RecordFile file) throws IOException {
    try {
      return NodeState.of(file.read());
    } catch (IllegalArgumentException e) {
      throw Failures.damaged(file.path(), String.valueOf(e.getMessage()));
    }
  }

  /** The state is written before anything is put into the folders: with something there, it was lost. */
  private static NodeState firstState(Path directory, RecordFile file) throws IOException {
    for (String folder : FOLDERS) {
      Path path = directory.resolve(folder);
      if (Files.exists(path)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
          if (entries.iterator().hasNext()) {
            throw Failures.damaged(file.path(), "the file is missing");
          }
        }
      }
    }
    return NodeState.NEW;
  }

  private static NodeState joined(Path directory, NodeState state, String clusterId) {
    String own = state.clusterId().orElse(clusterId);
    if (!own.equals(clusterId)) {
      throw Failures.otherCluster(directory, own, clusterId);
    }
    return state.inCluster(clusterId);
  }

  public Path path() {
    return directory;
  }

  /** Segments of the log. */
  public Path log() {
    return directory.resolve("log");
  }

  /** The item store. */
  public Path store() {
    return directory.resolve("store");
  }

  /** Snapshots of persistent actors. */
  public Path snapshots() {
    return directory.resolve("snapshots");
  }

  /** The certificate and its key. */
  public Path tls() {
    return directory.resolve("tls");
  }

  /** Uids of the stores of this node, 32 lower-case hexadecimal digits each, in the order of their creation. */
  public List<String> storeUids() {
    return storeUids;
  }

  /** Which opening of the directory this is: 1 for the first. */
  public synchronized long bootCount() {
    return state.bootCount();
  }

  /** The cluster that the directory belongs to, 32 lower-case hexadecimal digits; empty while it is in none. */
  public synchronized Optional<String> clusterId() {
    return state.clusterId();
  }

  /** Makes the directory belong to a cluster, for ever; fails if it belongs to another one. */
  public synchronized void joinCluster(String clusterId) {
    NodeState.requireId(clusterId);
    change(current -> joined(directory, current, clusterId));
  }

  public synchronized Genesis genesis() {
    return state.genesis();
  }

  /**
   * Agrees to a founding; durable when it returns true.
   *
   * @param text what is agreed to, not empty
   * @return false, with nothing changed, if another text was agreed to before
   */
  public synchronized boolean acceptGenesis(String text) {
    Genesis known = state.genesis();
    if (known.state() == Genesis.State.NONE) {
      change(current -> current.with(new Genesis(Genesis.State.ACCEPTED, text)));
      return true;
    }
    return known.text().equals(text);
  }

  /**
   * Completes a founding; durable when it returns true.
   *
   * @return false, with nothing changed, if this text was not accepted before
   */
  public synchronized boolean activateGenesis(String text) {
    Genesis known = state.genesis();
    if (known.state() == Genesis.State.NONE || !known.text().equals(text)) {
      return false;
    }
    change(current -> current.with(new Genesis(Genesis.State.ACTIVE, text)));
    return true;
  }

  /**
   * Forgets a founding that cannot be completed.
   *
   * @return false, with nothing changed, if it is active
   */
  public synchronized boolean resetGenesis() {
    if (state.genesis().state() == Genesis.State.ACTIVE) {
      return false;
    }
    change(current -> current.with(Genesis.NONE));
    return true;
  }

  /**
   * Gives out slots that no one has had and no one will have again, also after a crash.
   *
   * @param count how many, 1 or more
   * @return the first of them; the others follow it. The first slot of a directory is 1.
   */
  public synchronized long reserveSlots(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("one slot or more, not " + count);
    }
    long first = state.slotsReserved() + 1;
    change(current -> current.withSlots(count));
    return first;
  }

  /** Gives the folder back to other processes; closing again does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        lock.close();
      } catch (IOException e) {
        throw Failures.failed(directory, e);
      }
    }
  }

  /** The change is durable before anyone can see it; if it cannot be written, it does not happen. */
  private void change(UnaryOperator<NodeState> change) {
    if (closed) {
      throw new IllegalStateException("the data directory " + directory + " is closed");
    }
    NodeState changed = change.apply(state);
    if (!changed.equals(state)) {
      try {
        stateFile.write(changed.values());
      } catch (IOException e) {
        throw Failures.failed(stateFile.path(), e);
      }
      state = changed;
    }
  }
}
