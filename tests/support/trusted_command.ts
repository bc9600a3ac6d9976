/** A verification command that the person allowed at a terminal. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/base/clock.ts";
import { createSeal } from "../../src/base/files/seal.ts";
import type { VerifyCommand } from "../../src/evidence/mod.ts";
import { createTrustStore, toRepositoryKey } from "../../src/evidence/mod.ts";
import { loadCommandsUnderTrust } from "../../src/evidence/runs/trusted_commands.ts";

/** Allows a command that the project's configuration names, as `code-intel trust` does. */
export async function trustCommand(
  { dir, stateDir }: { readonly dir: string; readonly stateDir: string },
  { name, run }: Pick<VerifyCommand, "name" | "run">,
): Promise<void> {
  const store = createTrustStore({ stateDir, seal: createSeal(stateDir), clock: SYSTEM_CLOCK });
  const command: VerifyCommand = { name, run, paths: null, writes: [], timeoutMs: 1_800_000 };
  const key = await toRepositoryKey(dir, { commonDir: join(dir, ".git") });
  await store.trust(key, await loadCommandsUnderTrust(dir, [command]), "terminal");
}
