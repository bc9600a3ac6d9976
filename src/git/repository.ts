/** Finds the repository of a folder and reads its facts: HEAD, identity, refs, files. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Clock } from "../base/clock.ts";
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { CodeIntelError } from "../base/errors.ts";
import { quoteShellWord } from "../base/text/plain_text.ts";
import { SAME_CALL, say } from "../base/text/words.ts";
import { join, posix, resolve } from "node:path";
import { decode, Git, makeGitError, splitNul } from "./git.ts";
import { parseHookNames } from "./git_settings.ts";
import {
  isAncestorByFiles,
  isBranchAbsent,
  isObjectId,
  listRefFiles,
  readBranchFile,
  readHeadFile,
  readTreeIdFile,
} from "./store_files.ts";
import type { GitFolder } from "../place/git_folder.ts";
import { findGitFolder } from "../place/git_folder.ts";
import { checkSteeringFiles } from "./steering_files.ts";

/** One worktree of a git repository. */
export interface Repository {
  /** Runs git in the top folder of the worktree. */
  readonly git: Git;
  /** The time for names of refs that keep things for the user: branches, overwritten files, staged versions. */
  readonly clock: Clock;
  /** Absolute top level of the worktree; all paths of this folder's functions are relative to it. */
  readonly worktree: string;
  /** Folder that the repository was opened for, relative to the worktree; empty for its top level. */
  readonly openedFor: string;
  /** Git folder of this worktree, with HEAD, the index and our private indexes. */
  readonly gitDir: string;
  /** Git folder that all worktrees share, with refs and objects. */
  readonly commonDir: string;
  /** The hash of object ids: 40 or 64 hex digits. */
  readonly objectFormat: "sha1" | "sha256";
  /** True for the program's own git directory of a project without git, which has no branches. */
  readonly isPrivate?: true;
  /** Why there is no repository; whatever is asked of it then fails with this. */
  readonly missing?: CodeIntelError;
}

/** Where HEAD points. `commit` is null on a branch without a commit. */
export type Head =
  | { readonly kind: "branch"; readonly branch: string; readonly commit: string | null }
  | { readonly kind: "detached"; readonly commit: string };

/** Whether the project is in no repository of its own. */
export function hasNoGit({ isPrivate, missing }: Repository): boolean {
  return isPrivate === true || missing !== undefined;
}

const BRANCHES = "refs/heads/";
const OLDEST_VERSION = [2, 38] as const;
let knownVersion: string | null = null;

/**
 * Opens the repository whose worktree holds `dir`.
 *
 * @returns null when `dir` lies in no worktree (no repository, a bare one, or inside `.git`).
 * @throws {CodeIntelError} `git_missing`, `git_too_old`; `git_failed` for a repository that git cannot open;
 * `control_file_unusable` for one that would hang it.
 */
export async function openRepository(
  dir: string,
  clock: Clock = SYSTEM_CLOCK,
): Promise<Repository | null> {
  const folder = findGitFolder(dir);
  if (folder !== null) checkSteeringFiles(folder);
  const git = new Git(dir);
  await checkVersion(git);
  const args = [
    "rev-parse",
    "--path-format=absolute",
    "--show-object-format",
    "--is-inside-work-tree",
    "--git-dir",
    "--git-common-dir",
    "--show-toplevel",
    "--show-prefix",
  ];
  const result = await git.run(args);
  if (result.code !== 0) {
    if (isOutside(result.stderr, folder)) return null;
    throw makeOpenError(dir, folder, makeGitError(args, result));
  }
  const [format, isInside, gitDir, commonDir, worktree, prefix = ""] = decode(result.stdout)
    .split("\n");
  if (isInside !== "true" || !gitDir || !commonDir || !worktree) return null;
  await checkNearest(folder, gitDir);
  await checkOwnWorktree(dir, worktree, gitDir);
  const objectFormat = format === "sha256" ? "sha256" : "sha1";
  const bound = new Git(worktree, await readConfiguredHooks(git));
  const openedFor = prefix.replace(/\/$/, "");
  return { git: bound, clock, worktree, openedFor, gitDir, commonDir, objectFormat };
}

/** Whether git refused because there is no worktree, and not because it cannot open one. */
function isOutside(said: string, folder: GitFolder | null): boolean {
  if (/must be run in a work tree/.test(said)) return true;
  return folder === null && /not a git repository/.test(said);
}

/** The error for a repository that git cannot open: git's message, and what to do next. */
function makeOpenError(
  dir: string,
  folder: GitFolder | null,
  failure: CodeIntelError,
): CodeIntelError {
  const said = failure.message.replace(/^Cannot run git rev-parse: /, "");
  const isForeign = /dubious ownership/.test(said);
  // Git names the folder as the setting wants it.
  const [, foreign = quoteShellWord(folder?.worktree ?? dir)] =
    /--add safe\.directory (\S.*)/.exec(said) ?? [];
  const worktree = folder?.worktree ?? dir;
  const place = folder?.gitDir ?? dir;
  return new CodeIntelError("git_failed", `Cannot open the repository "${worktree}": ${said}`, {
    hint: isForeign
      ? say`Another account owns it. Where the person trusts it: \`git config --global --add safe.directory ${foreign}\`, then ${SAME_CALL} again.`
      : say`Mend "${place}" until \`git status\` answers there, then ${SAME_CALL} again.`,
    details: failure.details,
    cause: failure,
  });
}

/**
 * Git skips a damaged `.git` and goes on upwards: snapshots and commits would go into another
 * repository around the intended one.
 */
async function checkNearest(folder: GitFolder | null, gitDir: string): Promise<void> {
  if (folder === null) return;
  const [meant, used] = await Promise.all(
    [folder.gitDir, gitDir].map((path) => Deno.realPath(path).catch(() => path)),
  );
  if (meant === used) return;
  throw new CodeIntelError(
    "git_failed",
    `Cannot open the repository "${folder.worktree}": git finds it damaged, and would use "${gitDir}" instead`,
    {
      hint: `Mend "${folder.gitDir}" (HEAD, objects, refs), or remove it if it was not meant.`,
    },
  );
}

/**
 * By `core.worktree` a repository could claim any folder around it, up to the whole disk. Snapshots
 * and merges would read and write there. So only the folder that holds its `.git` is accepted.
 */
async function checkOwnWorktree(dir: string, worktree: string, gitDir: string): Promise<void> {
  const entry = join(worktree, ".git");
  const info = await Deno.stat(entry).catch(() => null);
  const named = info?.isFile !== true
    ? entry
    : /^gitdir: ([^\r\n]*)/.exec(await Deno.readTextFile(entry))?.[1] ?? "";
  const [own, real] = await Promise.all(
    [resolve(worktree, named), gitDir].map((path) => Deno.realPath(path).catch(() => null)),
  );
  if (info !== null && own !== null && own === real) return;
  throw new CodeIntelError(
    "git_failed",
    `Cannot use the repository of "${dir}": its core.worktree names "${worktree}", another folder`,
    { hint: "Ask the person to look at `git config core.worktree`; a copied folder may bring it." },
  );
}

/** Names of hooks in the configuration; git before 2.54 runs none of them. */
async function readConfiguredHooks(git: Git): Promise<readonly string[]> {
  if (!hasConfiguredHooks()) return [];
  const args = ["config", "-z", "--name-only", "--get-regexp", "^hook\\."];
  const result = await git.run(args);
  return result.code === 0 ? parseHookNames(splitNul(result.stdout)) : [];
}

/**
 * A file of the worktree as messages name it: relative to the folder that the repository was opened
 * for, which is the project. So an agent can send back the path of a message as it is.
 */
export function toProjectPath(
  { openedFor }: Pick<Repository, "openedFor">,
  treePath: TreePath,
): ProjectPath {
  return openedFor === "" ? treePath as string : posix.relative(openedFor, treePath) || ".";
}

/**
 * Refuses a git that is too old.
 *
 * @throws {CodeIntelError} `git_missing`, `git_too_old`.
 */
export async function checkVersion(git: Git): Promise<void> {
  knownVersion ??= await git.line(["version"]);
  if (isVersionAtLeast(...OLDEST_VERSION)) return;
  throw new CodeIntelError(
    "git_too_old",
    `Cannot use ${knownVersion}: version ${OLDEST_VERSION.join(".")} or newer is needed`,
    { hint: "Update git, then run `code-intel doctor`." },
  );
}

/** Whether this machine's git runs hooks from its configuration. */
export function hasConfiguredHooks(): boolean {
  return isVersionAtLeast(2, 54);
}

function isVersionAtLeast(major: number, minor: number): boolean {
  const found = /(\d+)\.(\d+)/.exec(knownVersion ?? "");
  const [has, hasMinor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  return has > major || (has === major && hasMinor >= minor);
}

/** Reads where HEAD points: mostly from its file, else with one start of git, or three where there is no commit. */
export async function readHead(repo: Repository): Promise<Head> {
  const named = readHeadFile(repo);
  if (named !== null && "commit" in named) return { kind: "detached", commit: named.commit };
  if (named !== null) {
    const tip = readBranchFile(repo, named.branch);
    if (tip !== null) return { kind: "branch", branch: named.branch, commit: tip };
  }
  const both = ["rev-parse", "--quiet", "HEAD^{commit}", "--symbolic-full-name", "HEAD"];
  const said = await repo.git.lineOrNull(both);
  const [commit = "", name = "", ...more] = said?.split("\n") ?? [];
  const isId = isObjectId(commit);
  if (isId && more.length === 0) {
    if (name === "HEAD") return { kind: "detached", commit };
    if (name.startsWith(BRANCHES)) {
      return { kind: "branch", branch: name.slice(BRANCHES.length), commit };
    }
  }
  return await askGitForHead(repo);
}

/** Reads HEAD of a branch without a commit, or of one whose name is ambiguous. */
async function askGitForHead(repo: Repository): Promise<Head> {
  const [ref, commit] = await Promise.all([
    repo.git.lineOrNull(["symbolic-ref", "--quiet", "HEAD"]),
    repo.git.lineOrNull(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
  ]);
  if (ref === null) {
    if (commit !== null) return { kind: "detached", commit };
    throw new CodeIntelError("git_failed", "Cannot read HEAD: it names neither branch nor commit", {
      hint: "Run `git status` and repair HEAD, for example with `git switch <branch>`.",
    });
  }
  return { kind: "branch", branch: ref.replace(/^refs\/heads\//, ""), commit };
}

/** Commit at the tip of a branch; null when there is no such branch. */
export async function readTip(repo: Repository, branch: string): Promise<string | null> {
  const tip = readBranchFile(repo, branch);
  if (tip !== null || isBranchAbsent(repo, branch)) return tip;
  return await repo.git.lineOrNull([
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `refs/heads/${branch}^{commit}`,
  ]);
}

/** Tree of a commit or tree.
 *
 * @throws {CodeIntelError} `git_failed` when the object is missing. */
export async function readTree(repo: Repository, treeish: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${treeish}^{tree}`];
  if (!isObjectId(treeish)) return await repo.git.line(args);
  const stored = readTreeIdFile(repo, treeish);
  if (stored !== null) return stored;
  return decode(await repo.git.fixed(args)).trim();
}

/** Whether `ancestor` is reachable from `descendant` (both commits). */
export async function isAncestor(
  repo: Repository,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  const known = isAncestorByFiles(repo, ancestor, descendant);
  if (known !== null) return known;
  // A commit that has the other one among its own ancestors is not among that one's.
  if (isAncestorByFiles(repo, descendant, ancestor) === true) return false;
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  const result = await repo.git.run(args);
  if (result.code === 0) return true;
  if (result.code === 1) return false;
  throw makeGitError(args, result);
}

/** The worktrees in which branches are checked out, our own included, by branch. */
export async function readCheckouts(repo: Repository): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await readWorktrees(repo)).flatMap(({ path, fields }) =>
      fields.flatMap((field) =>
        field.startsWith("branch refs/heads/")
          ? [[field.slice("branch refs/heads/".length), path] as const]
          : []
      )
    ),
  );
}

/** Path of the worktree in which a branch is checked out, our own included; null for none. */
export async function findCheckout(repo: Repository, branch: string): Promise<string | null> {
  return (await readCheckouts(repo)).get(branch) ?? null;
}

/** Absolute paths of all worktrees of the repository, our own included. */
export async function listWorktrees(repo: Repository): Promise<readonly string[]> {
  return (await readWorktrees(repo)).map(({ path }) => path);
}

async function readWorktrees(
  repo: Repository,
): Promise<readonly { readonly path: string; readonly fields: readonly string[] }[]> {
  if (await isOnlyWorktree(repo)) {
    const head = await readHead(repo);
    const fields = head.kind === "branch" ? [`branch refs/heads/${head.branch}`] : ["detached"];
    return [{ path: repo.worktree, fields }];
  }
  return parseWorktrees(await repo.git.text(["worktree", "list", "--porcelain", "-z"]));
}

function parseWorktrees(output: string) {
  return output.split("\0\0").filter((entry) => entry !== "").map((entry) => {
    const fields = entry.split("\0");
    const path = fields.find((field) => field.startsWith("worktree "));
    return { path: path?.slice("worktree ".length) ?? "", fields };
  });
}

/** Whether there never was a second worktree: git keeps the data of others in one folder. */
export async function isOnlyWorktree({ gitDir, commonDir }: Repository): Promise<boolean> {
  if (gitDir !== commonDir) return false;
  return await Deno.lstat(join(commonDir, "worktrees")).then(
    () => false,
    (cause) => cause instanceof Deno.errors.NotFound,
  );
}

/** The ids of all refs whose names begin with a text, by their names: from their files, else by one start of git. */
export async function listRefs(
  repo: Repository,
  start: string,
): Promise<ReadonlyMap<string, string>> {
  const stored = listRefFiles(repo, start);
  if (stored !== null) return stored;
  const pattern = start.endsWith("/") ? start : `${start}*`;
  const output = await repo.git.text([
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    pattern,
  ]);
  const rows = output.split("\n").filter((row) => row !== "");
  return new Map(rows.map((row) => row.split(" ") as [string, string]));
}
