/** The project's prompt files that belong to a stage. A missing file never skips anything. */
import { join } from "node:path";
import type { Stage } from "../phase/mod.ts";
import { PHASES } from "../phase/mod.ts";

const MAX_NAMES = 20;

/** Paths relative to the project of the prompts of a stage, sorted. */
export async function listPrompts(
  codeIntelDir: string,
  stage: Stage,
  chosen: readonly string[] = [],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of PHASES[stage].prompts ?? []) {
    if (name.endsWith(".md")) {
      const info = await Deno.stat(join(codeIntelDir, name)).catch(() => null);
      if (info?.isFile) found.push(`.code-intel/${name}`);
      continue;
    }
    found.push(...await listFolder(codeIntelDir, name));
  }
  const wanted = stage === "DOCUMENT_RESEARCH" && chosen.length > 0
    ? found.filter((path) => chosen.some((name) => path.endsWith(`/${name}.md`)))
    : found;
  return wanted.sort().slice(0, MAX_NAMES);
}

async function listFolder(codeIntelDir: string, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(join(codeIntelDir, folder))) {
      if (entry.isFile && entry.name.endsWith(".md")) {
        names.push(`.code-intel/${folder}/${entry.name}`);
      }
    }
  } catch {
    // The folder is optional.
  }
  return names;
}
