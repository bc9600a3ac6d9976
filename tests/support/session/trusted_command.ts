/** What the person allowed at a terminal: a verification command, or a text that guides agents. */
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { createSeal } from "../../../src/base/files/seal.ts";
import type { VerifyCommand } from "../../../src/evidence/runs/verify_commands.ts";
import { TrustStore } from "../../../src/evidence/runs/trust.ts";
import { findRepositoryKey } from "../../../src/evidence/runs/trust.ts";
import { loadCommandsUnderTrust } from "../../../src/evidence/runs/trusted_commands.ts";

/** A project with a folder that stands for the person's own. */
interface Place {
  readonly dir: string;
  readonly stateDir: string;
}

/** Allows the present text of a file, or a key of it with the words given, as `code-intel trust` does. */
export async function allowText(
  { dir, stateDir }: Place,
  { path, name, words }: { readonly path: string; readonly name: string; readonly words?: string },
): Promise<void> {
  const text = words ?? await Deno.readTextFile(join(dir, path));
  await openStore(stateDir).trustTexts(await toKey(dir), [{ path, name, text }], "terminal");
}

/** Allows a command that the project's configuration names, as `code-intel trust` does. */
export async function trustCommand(
  { dir, stateDir }: Place,
  { name, run }: Pick<VerifyCommand, "name" | "run">,
): Promise<void> {
  const command: VerifyCommand = { name, run, paths: null, writes: [], timeoutMs: 1_800_000 };
  const shown = await loadCommandsUnderTrust(dir, [command]);
  await openStore(stateDir).trust(await toKey(dir), shown, "terminal");
}

function openStore(stateDir: string) {
  return new TrustStore({ stateDir, seal: createSeal(stateDir), clock: SYSTEM_CLOCK });
}

async function toKey(dir: string): Promise<string> {
  return await findRepositoryKey(dir, { commonDir: join(dir, ".git") });
}
