/**
 * The one way from a folder to its project, for every command, server and hook. It reads names and owners of files alone,
 * so that it answers at once in any folder.
 */
import { lstatIfThere } from "../base/files/file_stamp.ts";
import { dirname, join } from "node:path";
import type { FolderFacts, ProjectChoice, SharedFolder } from "./project_rule.ts";
import { chooseProject } from "./project_rule.ts";
import { CodeIntelError } from "../base/errors.ts";
import type { FolderMessage } from "../base/files/project_folder.ts";
import { openProjectFolder } from "../base/files/project_folder.ts";
import { findGitFolder } from "./git_folder.ts";
import { findGitStore, makeGitStoreError } from "./git_store.ts";

/** Absolute paths without links. */
export interface SharedFolders {
  readonly homes: ReadonlySet<string>;
  readonly temporary: ReadonlySet<string>;
}

const HOME_VARIABLES = ["HOME", "USERPROFILE"];
const TEMP_VARIABLES = ["TMPDIR", "TMP", "TEMP"];
/** Where systems put the home folders of their users. */
const ABOVE_HOMES = ["/home", "/Users", "C:\\Users"];
const HOMES = ["/root", "/var/root"];
const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/** Reads the places of this machine and this user. */
export function readSharedFolders(): SharedFolders {
  return {
    homes: resolvePaths(HOMES, HOME_VARIABLES),
    temporary: resolvePaths(TEMPORARY, TEMP_VARIABLES),
  };
}

function resolvePaths(fixed: readonly string[], variables: readonly string[]): ReadonlySet<string> {
  const named = variables.map((name) => Deno.env.get(name) ?? "").filter((path) => path !== "");
  return new Set([...fixed, ...named].map(resolveReal));
}

function resolveReal(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return join(path, ".");
  }
}

/** What kind of shared folder a path is; null for an ordinary one. */
export function classifyShared(path: string, places: SharedFolders): SharedFolder | null {
  const above = dirname(path);
  if (above === path) return "top";
  if (ABOVE_HOMES.includes(path)) return "homes";
  if (places.homes.has(path) || ABOVE_HOMES.includes(above)) return "home";
  return places.temporary.has(path) ? "temporary" : null;
}

/** How a folder was given. */
export interface FindRootOptions {
  /** True where a person named it: it is the project, whatever lies around it. Default false. */
  readonly isNamed?: boolean;
  /** How the user named it, for failures; default by `--project`. */
  readonly words?: FolderMessage;
}

/** Files that `init` writes, or a person by hand, to set a folder up. */
const SETTINGS = [
  "manifest.json",
  "manifest.local.json",
  "config.json",
  "context.yml",
  "phase_contract.yml",
];
const SESSION = /^session_\d{8}_\d{6}_[0-9a-f]{4}\.json$/;

/**
 * The project of a folder, as an absolute path without links.
 *
 * @throws {CodeIntelError} `io_failed` when there is no such folder; `not_a_project` for a folder that belongs to no
 * single project, and for one in which git keeps a repository.
 */
export async function findProjectRoot(dir: string, options: FindRootOptions = {}): Promise<string> {
  const start = await openProjectFolder(dir, options.words);
  const store = findGitStore(start);
  // Who starts in the `.git` of a worktree means the worktree; who names it does not.
  const isMeant = store === null || store.worktree !== null && options.isNamed !== true;
  if (!isMeant) throw makeGitStoreError(store);
  if (options.isNamed === true) return start;
  const choice = findChoice(start);
  if (choice.kind === "project") return choice.root;
  throw makeRootError(choice);
}

/**
 * Refuses to set up a folder that a person named, where that would be a set-up for all that lies below it.
 *
 * @param root absolute path without links.
 * @throws {CodeIntelError} `not_a_project`.
 */
export function checkSetupFolder(root: string): void {
  const choice = findChoice(root);
  if (choice.kind === "shared") throw makeRootError(choice);
}

/** Whether `init` or a person set up the folder `.code-intel`. */
export function hasSettings(codeIntelDir: string): boolean {
  return SETTINGS.some((name) => lstatIfThere(join(codeIntelDir, name))?.isFile === true);
}

function findChoice(start: string): ProjectChoice {
  const places = readSharedFolders();
  const above: FolderFacts[] = [];
  for (let path = start; dirname(path) !== path;) {
    path = dirname(path);
    above.push(readFacts(path, places));
  }
  return chooseProject({
    start: readFacts(start, places),
    above,
    repository: findGitFolder(start)?.worktree ?? null,
    listRepositories: () => listRepositories(start),
  });
}

function readFacts(path: string, places: SharedFolders): FolderFacts {
  const shared = classifyShared(path, places);
  const folder = join(path, ".code-intel");
  const info = lstatIfThere(folder);
  const mark = info?.isDirectory === true ? findMark(folder) : null;
  const isOwn = info !== null && mark !== null && [info, mark].every(belongsToUs);
  return { path, shared, isUsed: mark !== null, isOwn };
}

/** A file or folder that shows that the program was set up or worked here on purpose. */
function findMark(folder: string): Deno.FileInfo | null {
  for (const name of SETTINGS) {
    const info = lstatIfThere(join(folder, name));
    if (info?.isFile === true) return info;
  }
  const sessions = join(folder, "sessions");
  return listNames(sessions).some(({ name }) => SESSION.test(name)) ? lstatIfThere(sessions) : null;
}

function belongsToUs({ uid }: Deno.FileInfo): boolean {
  return uid === Deno.uid();
}

function listNames(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return [];
  }
}

/** Deep enough for `src/host/owner/repository`. */
const MAX_DEPTH = 3;
/** Bounds of the search for repositories below a folder, which takes some 20 ms at most (measured). */
const MAX_FOLDERS = 500;
/** Two are several; a third one says that there are more. */
const ENOUGH = 3;

/** The first repositories below a folder, those near to it first; folders that git and people hide are left out. */
function listRepositories(start: string): readonly string[] {
  const found: string[] = [];
  let level = [start];
  let looked = 0;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const { name, isDirectory } of listNames(folder)) {
        if (!isDirectory || name.startsWith(".") || name === "node_modules") continue;
        const path = join(folder, name);
        if (lstatIfThere(join(path, ".git")) === null) next.push(path);
        else if (found.push(path.slice(start.length + 1)) === ENOUGH) return found;
        if (++looked === MAX_FOLDERS) return found;
      }
    }
    level = next;
  }
  return found;
}

const WHAT = {
  top: "is the top of the file system",
  homes: "holds the home folders of this machine",
  home: "is a home folder",
  temporary: "is the system's folder for temporary files",
} as const;

function makeRootError(
  choice: Exclude<ProjectChoice, { readonly kind: "project" }>,
): CodeIntelError {
  if (choice.kind === "shared") {
    const { path, shared } = choice;
    return new CodeIntelError("not_a_project", `"${path}" ${WHAT[shared]}, not a project`, {
      hint:
        "Start in the folder of a project, or name one with --project DIR or the variable CLAUDE_PROJECT_DIR.",
    });
  }
  const { path, repositories } = choice;
  const names = repositories.length < ENOUGH
    ? repositories.join(" and ")
    : `${repositories.slice(0, ENOUGH - 1).join(", ")} and more`;
  return new CodeIntelError(
    "not_a_project",
    `"${path}" holds several git repositories (${names}) and is none itself`,
    {
      hint:
        "Start in one of them or name it with --project DIR; `code-intel init .` makes the whole folder one project.",
    },
  );
}
