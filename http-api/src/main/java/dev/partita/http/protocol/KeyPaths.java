package dev.partita.http.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The paths of a partition key definition as a tree, to be walked along with a document. */
public final class KeyPaths {
  /**
   * A property on the way to a key, or the key itself.
   *
   * @param index number of the node in its tree
   * @param component which component of the key it is, or -1
   */
  record Node(String name, int index, int component, List<Node> children) {
    @Nullable
    Node child(String property) {
      for (Node child : children) {
        if (child.name.equals(property)) {
          return child;
        }
      }
      return null;
    }
  }

  private final Node root;
  private final int size;
  private final int nodes;

  private KeyPaths(Node root, int size, int nodes) {
    this.root = root;
    this.size = size;
    this.nodes = nodes;
  }

  /**
   * Reads paths such as {@code /a/b} or {@code /"a b"/c}.
   *
   * @throws Refusal 400 for a path that is none
   */
  public static KeyPaths of(List<String> paths) {
    Node root = new Node("", 0, -1, new ArrayList<>());
    int nodes = 1;
    for (int i = 0; i < paths.size(); i++) {
      List<String> segments = segments(paths.get(i));
      Node node = root;
      for (int depth = 0; depth < segments.size(); depth++) {
        String name = segments.get(depth);
        boolean leaf = depth == segments.size() - 1;
        Node next = node.child(name);
        if (next == null || (leaf && next.component < 0)) {
          Node made = new Node(
              name, nodes++, leaf ? i : -1, next == null ? new ArrayList<>() : next.children);
          node.children.remove(next);
          node.children.add(made);
          next = made;
        } else if (leaf) {
          throw Refusal.bad("The partition key path '" + paths.get(i) + "' is named twice.");
        }
        node = next;
      }
    }
    return new KeyPaths(root, paths.size(), nodes);
  }

  /** Splits a path into property names; a name with odd characters stands in double quotes. */
  public static List<String> segments(String path) {
    var segments = new ArrayList<String>();
    int i = 0;
    while (i < path.length()) {
      if (path.charAt(i) != '/' || i + 1 == path.length()) {
        throw invalid(path);
      }
      int end;
      if (path.charAt(i + 1) == '"') {
        int close = path.indexOf('"', i + 2);
        if (close < 0) {
          throw invalid(path);
        }
        segments.add(path.substring(i + 2, close));
        end = close + 1;
      } else {
        int slash = path.indexOf('/', i + 1);
        end = slash < 0 ? path.length() : slash;
        segments.add(path.substring(i + 1, end));
      }
      if (segments.get(segments.size() - 1).isEmpty()) {
        throw invalid(path);
      }
      i = end;
    }
    if (segments.isEmpty()) {
      throw invalid(path);
    }
    return segments;
  }

  private static Refusal invalid(String path) {
    return Refusal.bad(
        "'" + path + "' is not a path of properties such as /tenant or /address/city.");
  }

  Node root() {
    return root;
  }

  /** How many components the key has. */
  int size() {
    return size;
  }

  int nodes() {
    return nodes;
  }
}
