/**
 * The settings of a repository as the user's own git reads them. git is asked again only where a
 * file changed that it reads them from: all these files are read at each question, because settings
 * steer what a commit does and which changes are seen.
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { dirname, join, parse, resolve } from "node:path";
import { LIMITS } from "../base/settings/limits.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import type { Git } from "./git.ts";
import { AnswerMemory, splitNul } from "./git.ts";
import { parseConfig } from "../base/text/git_config.ts";
import type { GitFolder } from "../place/git_folder.ts";
import { isInclude, resolveNamedPath } from "./steering_files.ts";

/** A repository whose settings are asked for. */
export interface SettingsScope extends GitFolder {
  readonly git: Git;
}

/** A setting of one of the files; the later one of two with the same key is in force. */
export interface Setting {
  /** `system`, `global`, `local`, `worktree`, `command`, or another word of git. */
  readonly scope: string;
  /** In lower case, but for a part between dots that is a name of the user's. */
  readonly key: string;
  /** Null for a key without a value, which means true. */
  readonly value: string | null;
}

/** Answers of git by all that they depend on; the same texts give the same settings in any repository. */
const MEMORY = new AnswerMemory();
const LIST = ["config", "-z", "--list", "--show-scope", "--show-origin"];

/** All settings, in the order of their precedence. */
export async function readSettings(place: SettingsScope): Promise<readonly Setting[]> {
  const question = await readQuestion(place);
  const known = question === null ? undefined : MEMORY.get(question.hash);
  if (known !== undefined) return parseList(known);
  // Read as the user's own git does, without the settings that this program adds.
  const { code, stdout } = await place.git.run(LIST, { hooks: "all" });
  if (code !== 0) return [];
  const settings = parseList(stdout);
  if (question === null) return settings;
  const isCovered = settings.every(({ file }) =>
    file === null || question.paths.has(resolve(place.worktree, file))
  );
  // What changed meanwhile may or may not be in the answer.
  const isSettled = question.hash === (await readQuestion(place))?.hash;
  if (isCovered && isSettled) MEMORY.set(question.hash, stdout);
  return settings;
}

interface ListedSetting extends Setting {
  /** The file that has it, as git names it; null where it is in none. */
  readonly file: string | null;
}

/** Reads fields of a scope, an origin and `key LF value` in turn. */
function parseList(output: Uint8Array): readonly ListedSetting[] {
  const fields = splitNul(output);
  const settings: ListedSetting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", entry = ""] = fields.slice(at, at + 3);
    const [key = "", value = null] = entry.split(/\n(.*)/s);
    settings.push({ scope, key, value, file: /^file:(.*)$/s.exec(origin)?.[1] ?? null });
  }
  return settings;
}

/** The value in force of a setting that is on or off; what is neither counts as off. */
export async function isSettingOn(place: SettingsScope, key: string): Promise<boolean> {
  const setting = (await readSettings(place)).findLast((one) => one.key === key.toLowerCase());
  if (setting === undefined) return false;
  return setting.value === null || /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(setting.value);
}

/**
 * The path that a setting in force names, with the home folder in the place of `~`; null where there
 * is none. It may be relative to the worktree.
 */
export async function readPathSetting(place: SettingsScope, key: string): Promise<string | null> {
  const setting = (await readSettings(place)).findLast((one) => one.key === key.toLowerCase());
  if (setting === undefined) return null;
  const value = expandHome(setting.value ?? "");
  // Other forms, such as the home folder of another account, are for git to resolve.
  if (!/^(?:~|%\(|:\()/.test(value)) return value;
  return await place.git.lineOrNull(["config", "--type=path", "--get", key], { hooks: "all" });
}

/** A value with the home folder in the place of `~`, as git writes settings that are paths. */
export function expandHome(value: string): string {
  const home = Deno.env.get("HOME") ?? "";
  return home === "" ? value : value.replace(/^~(?=\/|$)/, home);
}

/** Variables that say where git's settings are, or are settings themselves. */
const VARIABLES = /^(?:GIT_CONFIG|HOME|USERPROFILE|XDG_CONFIG_HOME$)/;

interface Question {
  /** Hash of all that the settings depend on. */
  readonly hash: string;
  /** The files that they are read from, whether they exist or not. */
  readonly paths: ReadonlySet<string>;
}

/** What the settings depend on; null where that is not known. */
async function readQuestion(place: SettingsScope): Promise<Question | null> {
  const system = await findSystemFile(place.git);
  if (system === null) return null;
  const variables = Object.entries(Deno.env.toObject()).filter(([name]) => VARIABLES.test(name));
  const parts: string[] = [JSON.stringify(variables.sort())];
  const paths = new Set([
    resolve(system),
    ...listGlobalFiles().map((path) => resolve(place.worktree, path)),
    join(place.commonDir, "config"),
    join(place.gitDir, "config.worktree"),
  ]);
  let hasIncludes = false;
  for (const path of paths) {
    const text = readText(path);
    if (text === null) return null;
    parts.push(text);
    if (!/include/i.test(text)) continue;
    hasIncludes = true;
    for (const { key, value } of parseConfig(Buffer.from(text, "latin1").toString())) {
      if (!isInclude(key)) continue;
      const included = resolveNamedPath(value, dirname(path));
      if (included === null) return null;
      paths.add(included);
    }
  }
  // A file may be included by the place of the repository, or by the branch.
  if (hasIncludes) parts.push(place.gitDir, readText(join(place.gitDir, "HEAD")) ?? "", ...paths);
  return { hash: createHash("sha256").update(JSON.stringify(parts)).digest("hex"), paths };
}

/** The bytes of a file of settings, one character for each; null where it cannot be read, so that git says what is wrong. */
function readText(path: string): string | null {
  const bounds = { within: parse(path).root, maxBytes: LIMITS.stateFileBytes.value };
  const reading = readRegularFile(path, bounds);
  if (reading.kind === "refused") return null;
  return reading.kind === "absent" ? "" : `\n${Buffer.from(reading.bytes).toString("latin1")}`;
}

/** Every file that may be the user's own, on any system: one too many does no harm. */
function listGlobalFiles(): readonly string[] {
  const read = (name: string) => Deno.env.get(name) ?? "";
  const homes = [read("HOME"), `${read("HOMEDRIVE")}${read("HOMEPATH")}`, read("USERPROFILE")];
  const named = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"].map(read);
  const folders = [
    ...homes.filter((home) => home !== "").map((home) => join(home, ".config")),
    read("XDG_CONFIG_HOME"),
  ].filter((folder) => folder !== "");
  return [
    ...named.filter((path) => path !== ""),
    ...homes.filter((home) => home !== "").map((home) => join(home, ".gitconfig")),
    ...folders.map((folder) => join(folder, "git", "config")),
  ];
}

let systemFile: Promise<string | null> | undefined;

/** The settings of the machine, whether there is such a file or not; null where git does not name it. */
function findSystemFile(git: Git): Promise<string | null> {
  systemFile ??= askSystemFile(git).catch(() => null);
  return systemFile;
}

async function askSystemFile(git: Git): Promise<string | null> {
  const args = ["config", "--system", "-z", "--list", "--show-origin"];
  const { stdout, stderr } = await git.run(args);
  const [origin = ""] = splitNul(stdout);
  const path = /^file:(.*)$/s.exec(origin)?.[1] ??
    /unable to read config file '(.*)'/s.exec(stderr)?.[1];
  return path === undefined || path === "" ? null : path;
}
