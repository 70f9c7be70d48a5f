package dev.partita.http.server;

import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.partita.persistence.directory.DataDirectory;
import dev.partita.persistence.directory.DataDirectoryException;
import dev.partita.persistence.directory.Genesis;
import dev.partita.persistence.engine.ItemStore;
import dev.partita.persistence.engine.StoreException;
import dev.partita.persistence.journal.PartitaLog;
import dev.partita.persistence.log.LogException;
import dev.partita.runtime.actor.PartitaRuntime;
import dev.partita.runtime.model.Uid;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One node: data directory, log, item store, actor system, runtime and HTTP, started in this order and
 * stopped in the other. A lone node founds a cluster of its own on first start, with four stores, so that a
 * replica set is whole on it.
 */
public final class PartitaNode {
  private static final int LONE_NODE_STORES = 4;
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration HTTP_DRAIN = Duration.ofSeconds(5);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration READY_POLL = Duration.ofMillis(10);

  private final DataDirectory directory;
  private final Path path;
  private final ItemStore items;
  private final ActorSystem<Void> system;
  private final PartitaRuntime runtime;
  private final HttpServer http;
  private final String key;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  private PartitaNode(
      DataDirectory directory,
      Path path,
      ItemStore items,
      ActorSystem<Void> system,
      PartitaRuntime runtime,
      HttpServer http,
      String key) {
    this.directory = directory;
    this.path = path;
    this.items = items;
    this.system = system;
    this.runtime = runtime;
    this.http = http;
    this.key = key;
  }

  /** Built-in settings, to be put under what a user sets: a node's own, then the libraries'. Unresolved. */
  public static Config defaults() {
    return ConfigFactory.parseResources(PartitaNode.class.getClassLoader(), "partita-node.conf")
        .withFallback(ConfigFactory.defaultReferenceUnresolved());
  }

  /**
   * Starts a node and returns when it is ready.
   *
   * @param config what the user set over {@link #defaults}, resolved
   * @throws NodeStartException with a one-line message that says what to do
   */
  public static PartitaNode start(Config config) throws NodeStartException {
    Starting starting = new Starting();
    try {
      return starting.start(config);
    } catch (NodeStartException e) {
      starting.undo();
      throw e;
    } catch (DataDirectoryException | StoreException | LogException e) {
      starting.undo();
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    } catch (ConfigException e) {
      starting.undo();
      throw new NodeStartException("wrong configuration: " + e.getMessage(), e);
    }
  }

  /** What has been opened so far, so that a start that fails leaves nothing open. */
  private static final class Starting {
    private @Nullable DataDirectory directory;
    private @Nullable ItemStore items;
    private @Nullable ActorSystem<Void> system;

    PartitaNode start(Config config) throws NodeStartException {
      NodeSettings settings = NodeSettings.of(config);
      Path path = settings.dataDirectory();
      settings.http(path); // what is wrong with it is said before a directory is made
      DataDirectory opened = DataDirectory.open(path, LONE_NODE_STORES, Optional.empty());
      directory = opened;
      found(opened);
      ItemStore store = ItemStore.open(opened.store(), settings.store());
      items = store;
      ActorSystem<Void> actors =
          ActorSystem.create(Behaviors.empty(), "partita", settings.akka(opened.log()));
      system = actors;
      PartitaLog.get(actors)
          .log(); // opened here, so that a damaged log stops the start with its own words
      Cluster.get(actors)
          .manager()
          .tell(Join.create(Cluster.get(actors).selfMember().address()));
      PartitaRuntime runtime = PartitaRuntime.start(
          actors, identity(opened), new RocksReplicaStore(store), settings.charges());
      HttpServer http = bind(actors, runtime, settings.http(opened.tls()));
      awaitReady(runtime);
      return new PartitaNode(opened, path, store, actors, runtime, http, settings.key());
    }

    /** A lone node is its whole genesis: it asks nobody (B4 with one seed). */
    private static void found(DataDirectory directory) {
      Genesis genesis = directory.genesis();
      if (genesis.state() == Genesis.State.NONE) {
        directory.acceptGenesis(String.join("\n", directory.storeUids()));
        genesis = directory.genesis();
      }
      if (genesis.state() == Genesis.State.ACCEPTED) {
        directory.joinCluster(clusterId(genesis.text()));
        directory.activateGenesis(genesis.text());
      }
    }

    /** The cluster's id is a digest of its first members (B4). */
    private static String clusterId(String genesis) {
      try {
        byte[] digest =
            MessageDigest.getInstance("SHA-256").digest(genesis.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 16);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    private static PartitaRuntime.Identity identity(DataDirectory directory) {
      List<Uid> stores = directory.storeUids().stream().map(Uid::parse).toList();
      List<Uid> voters = directory.genesis().text().lines().map(Uid::parse).toList();
      return new PartitaRuntime.Identity(
          Uid.parse(directory.clusterId().orElseThrow()), stores, voters);
    }

    private static HttpServer bind(
        ActorSystem<Void> system, PartitaRuntime runtime, HttpSettings settings)
        throws NodeStartException {
      try {
        return HttpServer.start(system, runtime, settings)
            .toCompletableFuture()
            .get(READY_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        while (cause instanceof CompletionException && cause.getCause() != null) {
          cause = cause.getCause();
        }
        String where = settings.host() + ":" + settings.port().orElse(-1);
        String text = String.valueOf(cause.getMessage());
        boolean taken = cause instanceof BindException || text.contains("Bind failed");
        throw new NodeStartException(
            taken
                ? "cannot listen on " + where + ": the port is taken or not allowed; choose another"
                    + " with --port, or 0 for any free one"
                : text,
            cause);
      } catch (TimeoutException e) {
        throw new NodeStartException(
            "the node could not listen in time; is the machine overloaded?", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NodeStartException("interrupted while starting", e);
      }
    }

    private static void awaitReady(PartitaRuntime runtime) throws NodeStartException {
      long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
      try {
        while (!runtime.ready()) {
          if (System.nanoTime() > deadline) {
            throw new NodeStartException("the node was not ready after "
                + READY_TIMEOUT.toSeconds()
                + " s; its log says what it waits for");
          }
          TimeUnit.MILLISECONDS.sleep(READY_POLL.toMillis());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NodeStartException("interrupted while starting", e);
      }
    }

    void undo() {
      if (system != null) {
        system.terminate();
        awaitTerminated(system);
      }
      if (items != null) {
        items.close();
      }
      if (directory != null) {
        directory.close();
      }
    }
  }

  /** Where clients find this node: HTTP, or HTTPS when there is only that. */
  public URI endpoint() {
    return http.plainAddress()
        .map(address -> uri("http", address))
        .or(() -> http.tlsAddress().map(address -> uri("https", address)))
        .orElseThrow();
  }

  /** Where clients find this node by HTTPS, if they do. */
  public Optional<URI> httpsEndpoint() {
    return http.tlsAddress().map(address -> uri("https", address));
  }

  private static URI uri(String scheme, InetSocketAddress address) {
    String host = address.getAddress().isAnyLocalAddress() ? "127.0.0.1" : address.getHostString();
    String bracketed = host.contains(":") ? "[" + host + "]" : host;
    return URI.create(scheme + "://" + bracketed + ":" + address.getPort() + "/");
  }

  /** The account's primary key. */
  public String key() {
    return key;
  }

  public Path dataDirectory() {
    return path;
  }

  /** Returns when the node has stopped, for whatever reason. */
  public void awaitTermination() throws InterruptedException {
    try {
      stopped.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Answers the requests under way, then stops. A second call waits for the first. */
  public void stop() {
    if (stopping.compareAndSet(false, true)) {
      try {
        http.terminate(HTTP_DRAIN)
            .toCompletableFuture()
            .orTimeout(HTTP_DRAIN.toSeconds() * 2, TimeUnit.SECONDS)
            .exceptionally(late -> null)
            .join();
        runtime.stop();
        CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.actorSystemTerminateReason());
        awaitTerminated(system);
        items.close();
        directory.close();
      } finally {
        stopped.complete(null);
      }
    } else {
      stopped.join();
    }
  }

  private static void awaitTerminated(ActorSystem<Void> system) {
    system
        .getWhenTerminated()
        .toCompletableFuture()
        .orTimeout(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .handle((done, late) -> done)
        .join();
  }
}
