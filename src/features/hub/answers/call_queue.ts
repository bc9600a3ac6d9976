/**
 * Calls of a hub's clients that wait for a free thread. Each client has its turn after the others, however many calls it
 * sends; where there is no room for all, the client that has most of them gives way. Pure.
 */

/** What the order depends on. */
export interface QueuedCall {
  /** Who sent it. */
  readonly client: string;
  /** The repository that it names; null for a call that asks several. */
  readonly repository: string | null;
}

/** So many clients at the front are looked at for a call that fits a thread. */
const LOOKED_AT = 8;
/** The client at the front is passed over so often, and then it is next. */
const MOST_PASSES = 3;

/** The calls that wait, client by client. */
export class CallQueue<Call extends QueuedCall> {
  readonly #most: number;
  /** In the order of turns; a client without a call has no line. */
  readonly #lines = new Map<string, Call[]>();
  #size = 0;
  /** How often the client at the front was passed over. */
  #passes = 0;

  /** @param most Calls that may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls that wait. */
  get size(): number {
    return this.#size;
  }

  /** Puts a call into the line of its client; answers the one for which there is no room, if any. */
  push(call: Call): Call | null {
    const line = this.#lines.get(call.client) ?? [];
    line.push(call);
    this.#lines.set(call.client, line);
    this.#size++;
    if (this.#size <= this.#most) return null;
    const longest = [...this.#lines.values()].reduce((a, b) => b.length > a.length ? b : a, line);
    const last = longest.at(-1);
    if (last !== undefined) this.remove(last);
    return last ?? null;
  }

  /** Takes the next call: of the clients at the front rather one that is fit. */
  take(isFit: (call: Call) => boolean): Call | null {
    const heads = [...this.#lines.values()].slice(0, LOOKED_AT).flatMap(([first]) => first ?? []);
    const [front] = heads;
    if (front === undefined) return null;
    const call = this.#passes < MOST_PASSES ? heads.find(isFit) ?? front : front;
    this.#passes = call === front ? 0 : this.#passes + 1;
    const line = this.#lines.get(call.client) ?? [];
    this.remove(call);
    // Its next call comes after those of the others.
    if (line.length > 0 && this.#lines.delete(call.client)) this.#lines.set(call.client, line);
    return call;
  }

  /** Takes a call out; false where it does not wait any more. */
  remove(call: Call): boolean {
    const line = this.#lines.get(call.client) ?? [];
    const at = line.indexOf(call);
    if (at < 0) return false;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(call.client);
    this.#size--;
    return true;
  }
}
