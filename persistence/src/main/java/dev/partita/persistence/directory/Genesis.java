package dev.partita.persistence.directory;

/**
 * What a node has agreed to about the founding of its cluster. Goes from none to accepted to active, and never
 * to another text.
 *
 * @param state how far it has come
 * @param text what was agreed to, opaque here; empty for none
 */
public record Genesis(State state, String text) {
  /** How far the founding has come on this node. */
  public enum State {
    NONE,
    ACCEPTED,
    ACTIVE
  }

  static final Genesis NONE = new Genesis(State.NONE, "");

  public Genesis {
    if ((state == State.NONE) != text.isEmpty()) {
      throw new IllegalArgumentException("a genesis has a text unless there is none");
    }
  }
}
