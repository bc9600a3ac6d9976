/** Fingerprints of the files that steer git: whoever changes them changes what a commit does. */
import { createHash } from "node:crypto";
import { isAbsolute, join, parse } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import { splitNul } from "../git.ts";
import type { Repository } from "../repository.ts";

const MAX_FILES = 500;
const MAX_BYTES = LIMITS.checkedFileBytes.value;

/** Settings that make git ignore files or run others; those of the person's own files count too. */
const STEERING =
  "^(core\\.(hookspath|excludesfile|attributesfile|filemode|symlinks|ignorecase|autocrlf|eol|safecrlf|worktree|sparsecheckout|precomposeunicode)|filter\\..*)$";

/**
 * Hashes, by path relative to the git folder, of `config`, `config.worktree`, `hooks/`, `info/`,
 * the folder that `core.hooksPath` names, those of the person's settings that make git ignore
 * files, and the ignore and attribute files of their home folder. Sample hooks are left out.
 */
export async function hashGuardedFiles(
  repo: Repository,
): Promise<Readonly<Record<string, string>>> {
  const settings = await readSettings(repo);
  const hooksPath = settings.effective.get("core.hookspath") ?? "";
  const folders = new Map([
    ["hooks", join(repo.commonDir, "hooks")],
    ["info", join(repo.commonDir, "info")],
  ]);
  if (hooksPath !== "") {
    folders.set(`core.hooksPath (${hooksPath})`, toAbsolute(repo, hooksPath));
  }
  const hashes: Record<string, string> = {};
  if (settings.foreign !== "") hashes["config of the person"] = toHash(settings.foreign);
  const files = [
    ["config", join(repo.commonDir, "config")],
    ["config.worktree", join(repo.gitDir, "config.worktree")],
    ...toHomeFiles(repo, settings.effective),
  ] as const;
  for (const [name, path] of files) addHash(hashes, name, path);
  for (const [name, folder] of folders) {
    for (const file of await listFiles(folder)) {
      addHash(hashes, `${name}/${file}`, join(folder, file));
    }
  }
  return hashes;
}

interface Settings {
  /** The values in force, by key in lower case. */
  readonly effective: ReadonlyMap<string, string>;
  /** The settings from files outside the repository, as text. */
  readonly foreign: string;
}

/** Reads all settings with one start of git. */
async function readSettings(repo: Repository): Promise<Settings> {
  const args = ["config", "-z", "--show-scope", "--type=path", "--get-regexp", STEERING];
  // Read as the person's own git does, without the settings that this program adds.
  const result = await repo.git.run(args, { hooks: "all" });
  const effective = new Map<string, string>();
  const foreign: string[] = [];
  const fields = result.code === 0 ? splitNul(result.stdout) : [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", entry = ""] = fields.slice(at, at + 2);
    const [key = "", value = ""] = entry.split(/\n(.*)/s);
    effective.set(key, value);
    if (scope === "system" || scope === "global") foreign.push(entry);
  }
  return { effective, foreign: foreign.join("\0") };
}

/** The files of the home folder from which git reads patterns, whether they exist or not. */
function toHomeFiles(
  repo: Repository,
  effective: ReadonlyMap<string, string>,
): readonly (readonly [name: string, path: string])[] {
  const home = Deno.env.get("HOME") ?? "";
  const folder = Deno.env.get("XDG_CONFIG_HOME") || (home === "" ? "" : join(home, ".config"));
  return HOME_FILES.flatMap(([key, name, setting]) => {
    const path = effective.get(key) ?? (folder === "" ? "" : join(folder, "git", name));
    return path === "" ? [] : [[`${setting} (${path})`, toAbsolute(repo, path)] as const];
  });
}

const HOME_FILES = [
  ["core.excludesfile", "ignore", "core.excludesFile"],
  ["core.attributesfile", "attributes", "core.attributesFile"],
] as const;

function toAbsolute(repo: Repository, path: string): string {
  return isAbsolute(path) ? path : join(repo.worktree, path);
}

function toHash(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Adds the hash of a file. A missing file has none, so that one that appears later is a difference.
 * Links may lead anywhere, as those of hooks and home folders do; anything but a regular file has a
 * fixed value.
 */
function addHash(hashes: Record<string, string>, name: string, path: string): void {
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes: MAX_BYTES });
  if (reading.kind === "refused") hashes[name] = toHash(reading.reason);
  if (reading.kind !== "read") return;
  const isExecutable = ((reading.mode ?? 0) & 0o111) !== 0;
  hashes[name] = toHash(reading.bytes, isExecutable ? "x" : "-");
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (!entry.isDirectory && !entry.name.endsWith(".sample")) names.push(entry.name);
    }
  } catch {
    // The folder may be missing.
  }
  return names.sort().slice(0, MAX_FILES);
}
