/**
 * Finds out what `init` needs to know of a project: clients, source folders, rules, documents, dependencies, ways to
 * verify.
 */
import { join } from "node:path";
import { DEFAULT_CONFIG } from "../../base/settings/config.ts";
import { isText, languageOfPath } from "../../language/languages.ts";
import { walkFiles } from "../../backends/regular_files.ts";
import type { ClientName } from "../../clients/setup.ts";
import type { ConfigFacts } from "./config_text.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import type { UnusableCommand } from "./start_fault.ts";
import { chooseVerify } from "./start_fault.ts";

/** A file or folder that only an environment or a store of packages has at its top. */
const MARKS = [
  "pyvenv.cfg",
  "conda-meta",
  ".yarn-state.yml",
  ".package-lock.json",
  ".modules.yaml",
];
/** Levels below the project that are looked at: its top, and the packages of a folder of packages. */
const LEVELS = 3;
/** Most folders that are looked at (guessed). */
const MOST_FOLDERS = 500;
/** Files of the repository and of the program itself lie there, never dependencies. */
const NEVER = /^(?:\.git|\.code-intel|\.claude|\.codex)$/;

/**
 * The folders that are there, relative to the project and sorted. Links are not followed; whether git ignores a folder is
 * asked when it is lent.
 */
export async function findDependencyFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let left = MOST_FOLDERS;
  const look = async (folder: string, level: number): Promise<void> => {
    for (const name of await listFolders(join(root, folder))) {
      if (NEVER.test(name) || left-- <= 0) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (DEFAULT_CONFIG.verify_lend.includes(name) || await hasMark(join(root, path))) {
        found.push(path);
      } else if (level < LEVELS) await look(path, level + 1);
    }
  };
  await look("", 1);
  return found.toSorted();
}

/** The setting `verify_lend` that has them all; empty where the built-in names are enough. */
export function buildLendSetting(folders: readonly string[]): readonly string[] {
  const usual = DEFAULT_CONFIG.verify_lend;
  const others = folders.filter((path) => !usual.includes(path.slice(path.lastIndexOf("/") + 1)));
  return others.length === 0 ? [] : [...usual, ...others];
}

async function listFolders(absolute: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(absolute)) {
      if (isDirectory) names.push(name);
    }
  } catch {
    // What cannot be read cannot be lent either.
  }
  return names.toSorted();
}

async function hasMark(absolute: string): Promise<boolean> {
  const marks = await Promise.all(
    MARKS.map((mark) => Deno.lstat(join(absolute, mark)).then(() => true, () => false)),
  );
  return marks.includes(true);
}

/** Everything that was found. */
export interface SetupFacts extends ConfigFacts {
  /** Clients that left traces in the project, else on the machine, else all. */
  readonly clients: readonly ClientName[];
  /** Folders of installed dependencies, relative to the project. */
  readonly dependencies: readonly string[];
  /** The instruction file that Claude Code reads here. */
  readonly claudeFile: string;
  /** Commands that would verify something but cannot start on this machine. */
  readonly left: readonly UnusableCommand[];
}

/** Where the user is who sets a project up. */
export interface SetupLocation extends SetupRoots {
  /** The folder in which they started, relative to the project; default its top. */
  readonly startDir?: string;
  /** Folders in which programs are looked for; default the variable `PATH`. */
  readonly path?: string;
}

/** Most files of a repository that are looked at to find its folders (guessed). */
const MOST_FILES = 20_000;

const TRACES: readonly { readonly client: ClientName; readonly paths: readonly string[] }[] = [
  { client: "claude", paths: [".claude", "CLAUDE.md", ".mcp.json"] },
  { client: "codex", paths: [".codex", ".agents", "AGENTS.md"] },
];
/** What a client leaves in the user's home, each by itself a sign of it. */
const HOME_TRACES: Readonly<Record<ClientName, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  codex: [".codex"],
};
const ALL_CLIENTS: readonly ClientName[] = ["claude", "codex"];

/** Paths where rules may be; the first that exists is taken. */
const RULES_FILES = [
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "AGENTS.md",
  ".cursor/rules.md",
  "CONTRIBUTING.md",
];
/** Files at the top that set up tools; they do not make the top a folder of source. */
const SET_UP =
  /^(?:setup\.py$|conftest\.py$|noxfile\.py$|tasks\.py$|build\.|[^.]*\.config\.|[^.]*\.d\.ts$|Makefile|Dockerfile)/;

/** Reads the facts; nothing of the project is run. */
export async function readProjectFacts(place: SetupLocation): Promise<SetupFacts> {
  const { root, startDir = "", path = Deno.env.get("PATH") ?? "" } = place;
  const has = async (name: string) => await exists(join(root, name));
  const [files, clients, rules, dependencies] = await Promise.all([
    walkFiles(root, { maxFiles: MOST_FILES }),
    detectClients(place),
    findFirst(RULES_FILES, has),
    findDependencyFolders(root),
  ]);
  const isNested = rules === ".claude/CLAUDE.md";
  return {
    sourceDirs: findSourceDirs(files),
    ...await chooseVerify({ root, path, files, startDir }),
    dependencies,
    lend: buildLendSetting(dependencies),
    rulesFile: rules,
    docsPath: findDocsPaths(files),
    clients,
    claudeFile: isNested ? ".claude/CLAUDE.md" : "CLAUDE.md",
  };
}

/**
 * Folders at the top that hold source, with files at the top that set up tools; empty where other source lies at the top
 * itself.
 */
export function findSourceDirs(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  const setUp: string[] = [];
  for (const path of files) {
    const language = languageOfPath(path);
    if (language === undefined || isText(language) || path.startsWith(".")) continue;
    const slash = path.indexOf("/");
    if (slash > 0) folders.add(path.slice(0, slash));
    else if (SET_UP.test(path)) setUp.push(path);
    else return [];
  }
  return folders.size === 0 ? [] : [...folders, ...setUp].sort();
}

function findDocsPaths(files: readonly string[]): readonly string[] {
  const isDocument = (path: string) => /\.(?:md|mdx|rst|adoc)$/i.test(path);
  if (files.some((path) => path.startsWith("docs/") && isDocument(path))) return ["docs/"];
  const designs = files.filter((path) => /^DESIGN[^/]*\.md$/i.test(path));
  if (designs.length > 0) return designs;
  return files.filter((path) => path === "README.md");
}

async function detectClients({ root, home }: SetupRoots): Promise<readonly ClientName[]> {
  const here: ClientName[] = [];
  for (const { client, paths } of TRACES) {
    const found = await Promise.all(paths.map((path) => exists(join(root, path))));
    if (found.includes(true)) here.push(client);
  }
  if (here.length > 0 || home === null) return here.length > 0 ? here : ALL_CLIENTS;
  const used: ClientName[] = [];
  for (const client of ALL_CLIENTS) {
    const found = await Promise.all(HOME_TRACES[client].map((path) => exists(join(home, path))));
    if (found.includes(true)) used.push(client);
  }
  return used.length > 0 ? used : ALL_CLIENTS;
}

async function findFirst(
  paths: readonly string[],
  has: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const path of paths) if (await has(path)) return path;
  return null;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
