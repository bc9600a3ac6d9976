/** Fingerprints of the files that steer git: whoever changes them changes what a commit does. Notes in settings do not count. */
import { createHash } from "node:crypto";
import { isAbsolute, join, parse } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { readRegularFile } from "../../base/files/regular_file.ts";
import type { Repository } from "../repository.ts";
import { expandHome, readPathSetting, readSettings } from "../settings.ts";

/** A section of its own line, whose settings may be notes. */
const SECTION =
  /^\s*\[(branch|remote|submodule|lfs|gc|maintenance|gui|color)(?:\s+"[^"\\\r\n]*")?\]\s*$/i;
/** A setting whose value needs no reading: no quotes, no escapes, no comment. */
const NOTE = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=[^"\\#;\r\n]*)?\r?$/;

/** Settings of these sections that name no program, and no way past the server. */
const NOTES: Readonly<Record<string, RegExp>> = {
  branch:
    /^(?:remote|merge|pushremote|rebase|description|autosetup\w*|vscode-[a-z-]+|github-[a-z-]+|gitlab-[a-z-]+|gk-[a-z-]+|base|gh-[a-z-]+)$/i,
  remote:
    /^(?:url|pushurl|fetch|push|mirror|tagopt|prune|prunetags|skipdefaultupdate|skipfetchall|promisor|partialclonefilter|gh-resolved|gk-[a-z-]+|vscode-[a-z-]+|pushdefault)$/i,
  submodule: /^(?:url|active|branch)$/i,
  lfs: /^(?:access|repositoryformatversion|locksverify)$/i,
  gc: /^(?!.*(?:command|hook))[a-z]+$/i,
  maintenance: /^(?:auto|strategy|enabled|schedule)$/i,
  gui: /^(?:geometry|wmstate|encoding|spellingdictionary)$/i,
  color: /^[a-z]+$/i,
};

/**
 * The lines that are no notes, each with its section, in their order. What cannot be read for certain stays.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { keepSteeringLines } from "./guarded_files.ts";
 * const noted = '[core]\n\tbare = false\n[branch "a"]\n\tvscode-merge-base = origin/main\n';
 * equal(keepSteeringLines(noted), keepSteeringLines("[core]\n\tbare = false\n"));
 * ```
 */
export function keepSteeringLines(config: string): string {
  const kept: string[] = [];
  let section = "";
  let isContinued = false;
  let header: string | null = null;
  for (const line of config.split("\n")) {
    const wasContinued = isContinued;
    isContinued = /\\\r?$/.test(line);
    const opened = wasContinued ? null : SECTION.exec(line);
    if (opened !== null) {
      section = (opened[1] ?? "").toLowerCase();
      header = line.trim();
      continue;
    }
    if (!wasContinued && line.trim() === "") continue;
    const name = wasContinued ? undefined : NOTE.exec(line)?.[1];
    if (name !== undefined && NOTES[section]?.test(name) === true) continue;
    if (/\[/.test(line) && !wasContinued && name === undefined) {
      section = "";
      header = null;
    }
    if (header !== null) kept.push(header);
    header = null;
    kept.push(wasContinued ? line : line.trim());
  }
  return kept.join("\n");
}

const MAX_FILES = 500;
const MAX_BYTES = LIMITS.wholeFileBytes.value;

/** Settings that make git ignore files or run others; those of the user's own files count too. */
const STEERING =
  /^(?:core\.(?:hookspath|excludesfile|attributesfile|filemode|symlinks|ignorecase|autocrlf|eol|safecrlf|worktree|sparsecheckout|precomposeunicode)|filter\..*)$/s;
/** Those of them that name a file or a folder. */
const PATHS: ReadonlySet<string> = new Set([
  "core.hookspath",
  "core.excludesfile",
  "core.attributesfile",
]);

/** Files of `info/` that git obeys; the others, such as `refs`, are lists that git itself writes. */
const OBEYED: readonly string[] = ["exclude", "attributes", "sparse-checkout", "grafts"];

/**
 * Hashes of what steers git, by path relative to the git folder. In that folder: what steers in
 * `config` and `config.worktree`, `hooks/`, and what git obeys in `info/`. Elsewhere: the folder
 * that `core.hooksPath` names, and the user's settings that make git ignore files. Also the ignore
 * and attribute files of their home folder. Sample hooks are left out.
 */
export async function hashGuardedFiles(
  repo: Repository,
): Promise<Readonly<Record<string, string>>> {
  // Nobody's settings count there, and its own files are replaced at each opening.
  if (repo.isPrivate === true) return {};
  const settings = await readSteering(repo);
  const hooksPath = settings.effective.get("core.hookspath") ?? "";
  const folders = new Map([["hooks", join(repo.commonDir, "hooks")]]);
  if (hooksPath !== "") {
    folders.set(`core.hooksPath (${hooksPath})`, resolvePath(repo, hooksPath));
  }
  const hashes: Record<string, string> = {};
  if (settings.foreign !== "") hashes["config of the person"] = hashParts(settings.foreign);
  const files = [
    ...OBEYED.map((name) => [`info/${name}`, join(repo.commonDir, "info", name)] as const),
    ...listHomeFiles(repo, settings.effective),
  ];
  addHash(hashes, "config", join(repo.commonDir, "config"), keepSteeringLines);
  addHash(hashes, "config.worktree", join(repo.gitDir, "config.worktree"), keepSteeringLines);
  for (const [name, path] of files) addHash(hashes, name, path);
  for (const [name, folder] of folders) {
    for (const file of await listFiles(folder)) {
      addHash(hashes, `${name}/${file}`, join(folder, file));
    }
  }
  return hashes;
}

interface Steering {
  /** The paths that settings in force name, by key in lower case. */
  readonly effective: ReadonlyMap<string, string>;
  /** The settings from files outside the repository, as text. */
  readonly foreign: string;
}

/** The settings that steer git. */
async function readSteering(repo: Repository): Promise<Steering> {
  const effective = new Map<string, string>();
  const foreign: string[] = [];
  for (const { scope, key, value } of await readSettings(repo)) {
    if (!STEERING.test(key)) continue;
    if (scope === "system" || scope === "global") {
      foreign.push(value === null ? key : `${key}\n${expandHome(value)}`);
    }
    if (!PATHS.has(key)) continue;
    const path = await readPathSetting(repo, key);
    if (path !== null) effective.set(key, path);
  }
  return { effective, foreign: foreign.join("\0") };
}

/** The files of the home folder from which git reads patterns, whether they exist or not. */
function listHomeFiles(
  repo: Repository,
  effective: ReadonlyMap<string, string>,
): readonly (readonly [name: string, path: string])[] {
  const home = Deno.env.get("HOME") ?? "";
  const folder = Deno.env.get("XDG_CONFIG_HOME") || (home === "" ? "" : join(home, ".config"));
  return HOME_FILES.flatMap(([key, name, setting]) => {
    const path = effective.get(key) ?? (folder === "" ? "" : join(folder, "git", name));
    return path === "" ? [] : [[`${setting} (${path})`, resolvePath(repo, path)] as const];
  });
}

const HOME_FILES = [
  ["core.excludesfile", "ignore", "core.excludesFile"],
  ["core.attributesfile", "attributes", "core.attributesFile"],
] as const;

function resolvePath(repo: Repository, path: string): string {
  return isAbsolute(path) ? path : join(repo.worktree, path);
}

function hashParts(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Adds the hash of a file. A missing file has none, so that one that appears later is a difference.
 * Links may lead anywhere, as those of hooks and home folders do; anything but a regular file has a
 * fixed value.
 */
function addHash(
  hashes: Record<string, string>,
  name: string,
  path: string,
  toText?: (text: string) => string,
): void {
  const reading = readRegularFile(path, { within: parse(path).root, maxBytes: MAX_BYTES });
  if (reading.kind === "refused") hashes[name] = hashParts(reading.reason);
  if (reading.kind !== "read") return;
  const isExecutable = ((reading.mode ?? 0) & 0o111) !== 0;
  const content = toText?.(new TextDecoder("latin1").decode(reading.bytes)) ?? reading.bytes;
  hashes[name] = hashParts(content, isExecutable ? "x" : "-");
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
