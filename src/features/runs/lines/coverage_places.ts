/** Where coverage files lie, which file of the project they mean by a name, and for which commands Node counts. */
import { isAbsolute, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { readStampText } from "../../../base/files/file_stamp.ts";
import { readRegularText } from "../../../base/files/regular_file.ts";
import type { TreePath } from "../../../base/paths.ts";
import { programOf } from "../../../runners/narrow_run.ts";
import { isTestCommand, RUNNERS } from "../../../runners/runners.ts";
import type { VerifyCommand } from "../../../evidence/runs/verify_commands.ts";

/** The folder in which a command ran. */
export interface RunFolder {
  /** Absolute real path of the worktree, or of the checkout that stands for it. */
  readonly root: string;
  /** The project's folder relative to it; empty for the top level. */
  readonly project: string;
}

const MOD_BYTES = 256 * 1024;

/** Finds the wanted files by the names that coverage files give them. */
export class FileNames {
  readonly #place: RunFolder;
  readonly #wanted: ReadonlySet<TreePath>;
  readonly #lastParts: ReadonlySet<string>;
  readonly #packages: ReadonlyMap<string, TreePath>;

  /** @param wanted relative to the worktree. */
  constructor(place: RunFolder, wanted: readonly TreePath[]) {
    this.#place = place;
    this.#wanted = new Set(wanted);
    this.#lastParts = new Set(wanted.map((path) => posix.basename(path)));
    this.#packages = new Map(
      wanted.filter((path) => path.endsWith(".go")).flatMap((path) => {
        const name = this.#nameInModule(path);
        return name === null ? [] : [[name, path] as const];
      }),
    );
  }

  /** Whether a name may be that of a wanted file, by its last part. */
  isLikely(name: string): boolean {
    return this.#lastParts.has(posix.basename(name.replaceAll("\\", "/")));
  }

  /** Whether a text may name a wanted file. */
  isNamedIn(text: string): boolean {
    return [...this.#lastParts].some((part) => text.includes(part));
  }

  /** The wanted file at an absolute path or a `file:` URL; null for every other one. */
  fromUrl(url: string): TreePath | null {
    const path = url.startsWith("file:") ? parseFileUrl(url) : url;
    if (path === null || !isAbsolute(path)) return null;
    const tree = relative(this.#place.root, path).replaceAll("\\", "/");
    return this.#wanted.has(tree) ? tree : null;
  }

  /**
   * The wanted file that a coverage file names.
   *
   * @param from folder of the coverage file, relative to the worktree.
   * @param sources folders that it says its names begin in.
   */
  fromReport(
    name: string,
    { from, sources }: { readonly from: string; readonly sources: readonly string[] },
  ): TreePath | null {
    const path = name.startsWith("file:") ? parseFileUrl(name) ?? "" : name.replaceAll("\\", sep);
    if (isAbsolute(path)) return this.fromUrl(path);
    const inPackage = this.#packages.get(path);
    if (inPackage !== undefined) return inPackage;
    const { root, project } = this.#place;
    const folders = sources.length > 0
      ? sources.map((source) => isAbsolute(source) ? source : join(root, project, source))
      : [project, ...listFolders(from)].map((folder) => join(root, folder));
    const found = new Set(
      folders.map((folder) => join(folder, path)).filter((one) => readStampText(one) !== null),
    );
    const [only] = found;
    return only === undefined || found.size > 1 ? null : this.fromUrl(only);
  }

  /** Go names a file by its package: the module of the nearest `go.mod`, then the path from there. */
  #nameInModule(path: TreePath): string | null {
    for (const folder of listFolders(posix.dirname(path))) {
      const { root } = this.#place;
      const bounds = { within: root, maxBytes: MOD_BYTES };
      const text = readRegularText(join(root, folder, "go.mod"), bounds);
      if (text === undefined) continue;
      const module = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
      return module === undefined ? null : posix.join(module, posix.relative(folder, path));
    }
    return null;
  }
}

/** A folder and those above it up to the top, which is the empty text. */
function listFolders(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; at !== "" && at !== "."; at = posix.dirname(at)) folders.push(at);
  return [...folders, ""];
}

function parseFileUrl(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null; // It names a host, or is no URL.
  }
}

/** Where tools write by default, from the folder of the project or of one of its packages. */
const USUAL = RUNNERS.flatMap(({ coverage }) => coverage?.files ?? []);
/** Folders of which each file counts, or each file one folder down. */
const USUAL_FOLDERS = RUNNERS.flatMap(({ coverage }) => coverage?.folders ?? []);
/** Endings of coverage files, as words of a command name them. */
const ENDING = /\.(?:info|lcov|out|xml|cov|txt|profile|coverprofile)$/;
const MOST_FOLDERS = 40;

/** Files of one folder that are looked at (guessed). */
const MOST_LISTED = 200;

/** The first entries of a folder; none where there is no such folder, as most of the places are in no project. */
export function listNames(folder: string, most = MOST_LISTED): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)].slice(0, most);
  } catch {
    return [];
  }
}

/**
 * Where a command may have written coverage of some files: places, and files of folders that are there, relative to the root.
 *
 * @param root the worktree in which the command runs.
 * @param about `project` is the project's folder, `files` are relative to the root, `declared` to the project.
 *
 * @example
 * ```ts
 * import { strictEqual as equal } from "node:assert/strict";
 * import { listCoverageFiles } from "./coverage_places.ts";
 * const files = listCoverageFiles("/nowhere", {
 *   project: "",
 *   files: ["packages/a/src/x.ts"],
 *   declared: ["out/all.info"],
 *   run: ["go", "test", "-coverprofile=tmp/c.txt", "./..."],
 * });
 * for (const path of ["packages/a/coverage/lcov.info", "out/all.info", "tmp/c.txt"]) {
 *   equal(files.includes(path), true);
 * }
 * ```
 */
export function listCoverageFiles(root: string, { project, files, declared, run }: {
  readonly project: string;
  readonly files: readonly string[];
  readonly declared: readonly string[];
  readonly run: readonly string[];
}): readonly string[] {
  const around = files.flatMap((file) => listFolders(posix.dirname(file)));
  const folders = [...new Set([project, ...around])].slice(0, MOST_FOLDERS);
  const words = run.flatMap((word) => word.split(/[=:,]/)).filter((word) => ENDING.test(word));
  const named = [...declared, ...words].map((path) => posix.join(project, path));
  const spread = (paths: readonly string[]) =>
    folders.flatMap((folder) => paths.map((path) => posix.join(folder, path)));
  const isInside = (path: string) => !path.startsWith("../") && !path.startsWith("/");
  const list = (folder: string): readonly (readonly [path: string, isFolder: boolean])[] =>
    listNames(join(root, folder)).map((
      { name, isDirectory },
    ) => [posix.join(folder, name), isDirectory]);
  const found = [...new Set([...named, ...spread(USUAL_FOLDERS)])].filter(isInside).flatMap(list)
    .flatMap(([path, isFolder]) => isFolder ? list(path).map(([inner]) => inner) : [path]);
  const usual = [...named, ...spread(USUAL)].filter(isInside);
  return [...new Set([...usual, ...found.slice(0, MOST_LISTED)])];
}

/** The programs of runners in which Node runs a text of this kind. */
const listPrograms = (node: "same text" | "other text") =>
  RUNNERS.flatMap(({ coverage, programs }) => coverage?.node === node ? programs : []);
/** Programs that are Node, or start it. */
const NODE = new Set(
  ["node", "npm", "npx", "pnpm", "pnpx", "yarn", "tsx", "ts-node", "c8", "nyc"]
    .concat(listPrograms("same text")),
);
/** Runners that run another text than that of the files, or no Node at all: what V8 counts there says nothing of lines. */
const OTHER_TEXT = new RegExp(
  `\\b(?:react-scripts|cypress|karma|${listPrograms("other text").join("|")})\\b`,
);

/**
 * Whether Node is asked to write what V8 counts while a command runs.
 *
 * @param behind texts of the scripts that the command may run.
 */
export function isNodeAsked(
  { name, run }: Pick<VerifyCommand, "name" | "run">,
  behind: readonly string[],
): boolean {
  const program = programOf((run[0] ?? "").replaceAll("\\", "/"));
  return NODE.has(program) && isTestCommand({ name, run }) &&
    ![...run, ...behind].some((text) => OTHER_TEXT.test(text));
}
