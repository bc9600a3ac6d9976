/** Fingerprints of the files that steer git itself: whoever changes them changes what a commit does. */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { Repository } from "./repository.ts";

const MAX_FILES = 500;

/**
 * Hashes of `config`, `config.worktree`, `hooks/`, `info/` and of the folder that `core.hooksPath`
 * names, by path relative to the git folder. Samples of hooks count as nothing.
 */
export async function hashGuardedFiles(
  repo: Repository,
): Promise<Readonly<Record<string, string>>> {
  const hooksPath = await repo.git.lineOrNull(["config", "--type=path", "--get", "core.hooksPath"]);
  const folders = new Map([
    ["hooks", join(repo.commonDir, "hooks")],
    ["info", join(repo.commonDir, "info")],
  ]);
  if (hooksPath !== null && hooksPath !== "") {
    folders.set(
      `core.hooksPath (${hooksPath})`,
      isAbsolute(hooksPath) ? hooksPath : join(repo.worktree, hooksPath),
    );
  }
  const hashes: Record<string, string> = {};
  const files = [
    ["config", join(repo.commonDir, "config")],
    ["config.worktree", join(repo.gitDir, "config.worktree")],
  ] as const;
  for (const [name, path] of files) await addHash(hashes, name, path);
  for (const [name, folder] of folders) {
    for (const file of await listFiles(folder)) {
      await addHash(hashes, `${name}/${file}`, join(folder, file));
    }
  }
  return hashes;
}

async function addHash(
  hashes: Record<string, string>,
  name: string,
  path: string,
): Promise<void> {
  try {
    const [bytes, info] = await Promise.all([Deno.readFile(path), Deno.stat(path)]);
    const isExecutable = ((info.mode ?? 0) & 0o111) !== 0;
    hashes[name] = createHash("sha256").update(bytes).update(isExecutable ? "x" : "-")
      .digest("hex").slice(0, 16);
  } catch {
    // A file that is not there has no hash; one that appears later is a difference.
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (!entry.isDirectory && !entry.name.endsWith(".sample")) names.push(entry.name);
    }
  } catch {
    // The folder is optional.
  }
  return names.sort().slice(0, MAX_FILES);
}
