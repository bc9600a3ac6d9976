/**
 * The git directory of the program's own, for sessions of a project without git: the project is its
 * work tree, so states of the files are trees of git there too. Nobody's settings, ignore files or
 * attributes count in it, and no branch is ever made.
 */
import type { Clock } from "../base/clock.ts";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { CodeIntelError, isGitUnusable } from "../base/errors.ts";
import type { Repository } from "./repository.ts";
import { checkVersion, listRefs, openRepository } from "./repository.ts";
import { join } from "node:path";
import { checkOwnFile, makeOwnFolder, writeOwnFile } from "../base/files/own_folder.ts";
import { readRegularText } from "../base/files/regular_file.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { formatCount } from "../base/text/plain_text.ts";
import { Git } from "./git.ts";
import { checkSteeringFiles } from "./steering_files.ts";

/** Opens the repository of a project; null where there is none. */
export type OpenRepo = () => Promise<Repository | null>;

/**
 * Opens a repository once. Where there was none, each call looks again, because one may have been
 * made.
 */
export function createRepositoryOpener(projectRoot: string, clock: Clock): OpenRepo {
  let opening: Promise<Repository | null> | undefined;
  return () => {
    opening ??= openRepository(projectRoot, clock).then(
      (repo) => {
        if (repo === null) opening = undefined;
        return repo;
      },
      (failure) => {
        opening = undefined;
        throw failure;
      },
    );
    return opening;
  };
}

/** Gives null where git is missing or too old, for work that goes on without git. */
export function nullWhereUnusable(openRepo: OpenRepo): OpenRepo {
  return () =>
    openRepo().catch((failure) => {
      if (isGitUnusable(failure)) return null;
      throw failure;
    });
}

/** The folders of a project. */
export interface PrivateFolders {
  /** Absolute folder of the project, which becomes the work tree. */
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel` folder. */
  readonly codeIntelDir: string;
}

/** The private git directory of one project. */
export interface PrivateRepository {
  /**
   * Opens it, made where it is not there yet.
   *
   * @throws {CodeIntelError} `git_missing`, `git_too_old`, `own_path_refused`, `io_failed`, `disk_full`.
   */
  readonly open: () => Promise<Repository>;
  /** The same, but null where it is not there. */
  readonly find: () => Promise<Repository | null>;
}

/** Gives access to the private git directory of a project; nothing is made yet. */
export function createPrivateRepository(place: PrivateFolders, clock: Clock): PrivateRepository {
  const gitDir = join(place.codeIntelDir, "backup", "git");
  let repo: Repository | null = null;
  const open = async () => {
    if (repo === null) checkLinks(gitDir);
    await prepareFolder(gitDir);
    checkSteeringFiles({ worktree: place.projectRoot, gitDir, commonDir: gitDir });
    repo ??= await createRepository(place.projectRoot, gitDir, clock);
    return repo;
  };
  const find = async () => {
    const isThere = await Deno.lstat(join(gitDir, "HEAD")).then(() => true, () => false);
    return isThere ? await open() : null;
  };
  return { open, find };
}

async function createRepository(
  worktree: string,
  gitDir: string,
  clock: Clock,
): Promise<Repository> {
  const git = new Git(worktree, [], gitDir);
  await checkVersion(git);
  const place = { worktree, openedFor: "", gitDir, commonDir: gitDir };
  return { git, clock, ...place, objectFormat: "sha1", isPrivate: true };
}

const FOLDERS = ["objects", "refs/heads", "info", "code-intel"] as const;
/** Files by which somebody else could lead git to another folder. */
const LEADING_AWAY = ["commondir", "config.worktree", "objects/info/alternates"] as const;
const IS_WINDOWS = Deno.build.os === "windows";
const HAS_CASE = !IS_WINDOWS && Deno.build.os !== "darwin";

/** What the files of the directory hold; another content is replaced at each opening. */
const FILES: Readonly<Record<string, string>> = {
  HEAD: "ref: refs/heads/none\n",
  config: `# Written by code-intel at each start.
[core]
	repositoryformatversion = 0
	bare = false
	filemode = ${!IS_WINDOWS}
	symlinks = ${!IS_WINDOWS}
	ignorecase = ${!HAS_CASE}
	precomposeunicode = ${Deno.build.os === "darwin"}
	autocrlf = false
	excludesFile = /dev/null
	attributesFile = /dev/null
	logAllRefUpdates = false
`,
  // Contents are kept as they are on the disk, whatever a .gitattributes of the project says.
  "info/attributes": "* -text -filter -ident !eol !working-tree-encoding !diff !merge\n",
  // The folders without source that are found without any .gitignore, and the program's own files.
  "info/exclude": `node_modules/
__pycache__/
.venv/
.tox/
.mypy_cache/
.pytest_cache/
.gradle/
.hg/
.svn/
.jj/
**/.code-intel/sessions/
**/.code-intel/backup/
**/.code-intel/init_backup/
**/.code-intel/logs/
**/.code-intel/cache/
**/.code-intel/runs/
**/.code-intel/index.*
**/.code-intel/*.db
**/.code-intel/*.db-*
**/.code-intel/manifest.json
**/.code-intel/*.tmp
`,
};

async function prepareFolder(gitDir: string): Promise<void> {
  for (const name of LEADING_AWAY) refuseFile(join(gitDir, name));
  for (const name of FOLDERS) await makeOwnFolder(join(gitDir, name), { mode: 0o700 });
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(gitDir, name);
    checkOwnFile(path);
    const bounds = { within: gitDir, maxBytes: LIMITS.stateFileBytes.value };
    if (readRegularText(path, bounds) !== text) await writeOwnFile(path, text);
  }
}

function refuseFile(path: string): void {
  try {
    Deno.lstatSync(path);
  } catch {
    return;
  }
  throw new CodeIntelError("own_path_refused", `Cannot use "${path}": code-intel never makes it`, {
    hint: "Remove it; a copied folder may have brought it.",
  });
}

/** A folder that somebody copied here may hold links, through which git would write elsewhere. */
function checkLinks(folder: string): void {
  let entries: readonly Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)];
  } catch {
    return;
  }
  for (const { name, isDirectory, isSymlink } of entries) {
    if (isSymlink) refuseFile(join(folder, name));
    if (isDirectory) checkLinks(join(folder, name));
  }
}

const BYTES_PER_MB = 1024 * 1024;

/**
 * Refuses a project without git whose files are too many to be watched; most of them are not meant.
 *
 * @throws {CodeIntelError} `manifest_failed`.
 */
export function checkWatched(paths: readonly string[], addedBytes: number): void {
  const [maxFiles, maxMb] = [LIMITS.manifestFiles.value, LIMITS.manifestTotalMb.value];
  const bound = paths.length > maxFiles
    ? formatCount(maxFiles, "file")
    : addedBytes > maxMb * BYTES_PER_MB
    ? `${maxMb} MiB`
    : null;
  if (bound === null) return;
  const toTop = (path: string) => path.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
  const counts = [...Map.groupBy(paths, toTop)].map(([top, { length }]) => [top, length] as const);
  const [most] = counts.sort(([, a], [, b]) => b - a);
  throw new CodeIntelError(
    "manifest_failed",
    `Cannot watch the files of the project without git: there are more than ${bound}, most below "${
      most?.[0] ?? "."
    }"`,
    {
      hint:
        "Run `git init`, name what nobody writes by hand in a .gitignore, or work in a smaller folder (`code-intel init .` makes it a project of its own).",
    },
  );
}

/** Stands for the repository of a folder that has none: git fails in it with the reason, and nothing can be written. */
export function createMissingRepository(worktree: string, missing: CodeIntelError): Repository {
  const none = "/dev/null/none";
  const git = new NoGit(worktree, missing);
  const place = { worktree, openedFor: "", gitDir: none, commonDir: none };
  return { git, clock: SYSTEM_CLOCK, ...place, objectFormat: "sha1", missing };
}

class NoGit extends Git {
  readonly #missing: CodeIntelError;

  constructor(cwd: string, missing: CodeIntelError) {
    super(cwd);
    this.#missing = missing;
  }

  override run(): Promise<never> {
    return Promise.reject(this.#missing);
  }
}

/** Removes the objects that no session names any more; without a session the whole directory. */
export async function prunePrivate(repo: Repository): Promise<void> {
  const isUsed = (await listRefs(repo, "refs/code-intel/")).size > 0;
  if (isUsed) await repo.git.run(["gc", "--quiet", "--prune=2.weeks.ago"]);
  else await Deno.remove(repo.gitDir, { recursive: true });
}
