/**
 * What has to be told about the files of sessions, kept until a reply has taken it along: whoever happens to
 * load a session first, the notice reaches somebody, and each cause is told once.
 */
import type { StoreNotice } from "./store_api.ts";

/** Notices of this process that no reply has carried yet. */
export class UntoldNotices {
  readonly #waiting = new Map<
    string,
    { readonly id: string | null; readonly notice: StoreNotice }
  >();
  readonly #known = new Set<string>();

  /** Keeps a notice about a session, or about all of them; one that was kept before is not told again. */
  add(id: string | null, notice: StoreNotice): void {
    const cause = JSON.stringify([id, notice.code, notice.message]);
    if (this.#known.has(cause)) return;
    this.#known.add(cause);
    this.#waiting.set(cause, { id, notice });
  }

  /** Those about one session that nobody was told. */
  list(id: string): readonly StoreNotice[] {
    return [...this.#waiting.values()].filter((entry) => entry.id === id)
      .map(({ notice }) => notice);
  }

  /** All of them with their session, for a reply that tells them now. */
  take(): readonly { readonly id: string | null; readonly notice: StoreNotice }[] {
    const taken = [...this.#waiting.values()];
    this.#waiting.clear();
    return taken;
  }
}
