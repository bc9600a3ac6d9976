/** A store in a folder of its own, with a clock that the test moves. */
import { join } from "node:path";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import type { SessionStore } from "../../src/session/store_api.ts";
import { createSessionStore } from "../../src/session/store.ts";
import { giveUp } from "../support/temp_folder.ts";

/** A store with the places of its files. */
export interface StoreFixture {
  readonly store: SessionStore;
  readonly codeIntelDir: string;
  readonly sessionsDir: string;
  readonly stateDir: string;
  /** Another store on the same files, as another process has it. */
  readonly again: () => SessionStore;
  /** Moves the clock of all stores of the fixture. */
  readonly setNow: (iso: string) => void;
}

/** Runs `action` with a store and removes its files. */
export async function withStore(action: (fixture: StoreFixture) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  const codeIntelDir = join(root, "project", ".code-intel");
  const stateDir = join(root, "state");
  // Later than the key, which is made with the machine's time.
  let now = new Date(Date.now() + 60_000);
  const clock = { now: () => now };
  const again = () =>
    createSessionStore({
      codeIntelDir,
      stateDir,
      seal: createSeal(stateDir),
      clock,
      logger: SILENT_LOGGER,
    });
  try {
    await action({
      store: again(),
      codeIntelDir,
      sessionsDir: join(codeIntelDir, "sessions"),
      stateDir,
      again,
      setNow: (iso) => now = new Date(iso),
    });
  } finally {
    await giveUp(root);
  }
}
