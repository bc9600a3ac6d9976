/** What one payload of a row saw of the files, for the payload behind it: no call of an agent comes between the two. */
import type { Looked } from "../../ledger/trees.ts";
import type { SessionState } from "../../phase/state.ts";

/** What was seen of the files, and the state that was saved afterwards. */
export interface SeenInRow {
  readonly looked: Looked | null;
  readonly state: SessionState;
}

/**
 * The look that the payloads of one call share while they are accepted one after the other and do nothing to the files.
 * Whoever changes a file meanwhile is found at the next look. Effects that write files or run hooks, runs of commands,
 * and what follows an answer of the person all begin with a new one.
 */
export class RowLook {
  #seen: SeenInRow | null = null;

  /** The look of the payload before, once; null where there is none, or where the ledger was changed since. */
  take({ sessionId, stage, ledger }: SessionState): Looked | null {
    const seen = this.#seen;
    this.#seen = null;
    const isSame = seen?.state.sessionId === sessionId && seen.state.ledger?.tree === ledger?.tree;
    return isSame && stage !== "POST_IMPL_VERIFY" ? seen.looked : null;
  }

  /** Keeps the look of a payload that was accepted. */
  keep(seen: SeenInRow): void {
    this.#seen = seen;
  }
}
