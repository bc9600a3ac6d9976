/** How much one call may read and match of the texts of the store, however many repositories it asks. */
import type { PackedText } from "../../base/files/source_text.ts";
import { LIMITS } from "../../base/settings/limits.ts";

/** The bounds of a call. */
export interface SearchBounds {
  /** Bytes of texts. */
  readonly bytes: number;
  /** From the first text on; what was read by then is still searched. */
  readonly ms: number;
  /** Longest time of the patterns for one part. */
  readonly partMs: number;
  /** Bytes of texts of one part. */
  readonly partBytes: number;
}

/** The bounds of a hub. */
export const HUB_BOUNDS: SearchBounds = {
  bytes: LIMITS.hubSearchBytes.value,
  ms: LIMITS.peekMs.value,
  partMs: LIMITS.hubPatternMs.value,
  partBytes: 4 * 1024 * 1024,
};

/** What one call has read, and may still read. */
export class SearchBudget {
  readonly bounds: SearchBounds;
  readonly #taken = new Map<string, PackedText>();
  readonly #allowed = new Set<string>();
  #leftBytes: number;
  #endsAtMs: number | null = null;
  #isUsedUp = false;

  constructor(bounds: SearchBounds) {
    this.bounds = bounds;
    this.#leftBytes = bounds.bytes;
  }

  /** Whether a text was refused: what comes after it is not read either. */
  get isUsedUp(): boolean {
    return this.#isUsedUp;
  }

  /** Whether a text may be read. One that was allowed before is still allowed, so that a second look sees the same. */
  allow(key: string, bytes: number): boolean {
    if (this.#allowed.has(key)) return true;
    const nowMs = performance.now();
    this.#endsAtMs ??= nowMs + this.bounds.ms;
    if (this.#isUsedUp || bytes > this.#leftBytes || nowMs >= this.#endsAtMs) {
      this.#isUsedUp = true;
      return false;
    }
    this.#leftBytes -= bytes;
    this.#allowed.add(key);
    return true;
  }

  /** A text that was read before. */
  get(key: string): PackedText | undefined {
    return this.#taken.get(key);
  }

  /** Remembers a text until the call ends. */
  keep(key: string, text: PackedText): void {
    this.#taken.set(key, text);
  }
}
