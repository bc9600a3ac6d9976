/**
 * Plans and carries out what `uninstall --purge` removes beside the set-up: everything that the program made, and nothing
 * that a person made.
 */
import { basename, join } from "node:path";
import { CodeIntelError, makeIoError } from "../../base/errors.ts";
import type { OwnRef } from "../../git/branches/own_refs.ts";
import {
  deleteRefs,
  listNotes,
  listOwnRefs,
  listShareRefs,
  NOTES_REF,
  removeEmptyRefFolders,
} from "../../git/branches/own_refs.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { listOwnFolder } from "../../base/files/own_folder.ts";
import type { TaskBranch } from "../../git/branches/branches.ts";
import { listTaskBranches } from "../../git/branches/branches.ts";
import type { Repository } from "../../git/repository.ts";
import { listSessionFolders } from "../leftovers.ts";

/** Number of files and bytes below a path; for a file, the file itself. */
export interface FolderSize {
  readonly isThere: boolean;
  /** Number of files and links. */
  readonly count: number;
  readonly bytes: number;
}

/** Measures a folder or a file; what cannot be read counts as nothing. */
export async function measureFolder(path: string): Promise<FolderSize> {
  const info = await Deno.lstat(path).catch(() => null);
  if (info === null) return { isThere: false, count: 0, bytes: 0 };
  if (!info.isDirectory) return { isThere: true, count: 1, bytes: info.size };
  let [count, bytes] = [0, 0];
  const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => []);
  for (const { name } of entries) {
    const inner = await measureFolder(join(path, name));
    count += inner.count;
    bytes += inner.bytes;
  }
  return { isThere: true, count, bytes };
}

/** Longest time that a write of another process takes. */
const STALE_MS = 60_000;

/** What was removed, and what could not be. */
export interface PurgeReport extends Pick<PurgePlan, "removed" | "kept"> {
  readonly problems: readonly string[];
}

/**
 * Removes what is there now: the plan is made again, because undoing the set-up has changed the
 * folder.
 *
 * @param options `isNeeded`: a file of the set-up could not be undone, so that `.code-intel` has to stay.
 */
export async function applyPurge(
  deps: PurgeDeps,
  shown: PurgePlan,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<PurgeReport> {
  const problems: string[] = [];
  const attempt = async (action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (failure) {
      if (!(failure instanceof CodeIntelError)) throw failure;
      problems.push(failure.message);
    }
  };
  const { refs, marks, isTrustRevoked, paths } = await planPurge(deps);
  const repo = await deps.openRepo();
  if (repo !== null) {
    await attempt(() => deleteRefs(repo, refs));
    await removeEmptyRefFolders(repo);
  }
  for (const id of marks) await attempt(() => deps.forgetMark(id));
  if (isTrustRevoked) await attempt(() => deps.revokeTrust());
  const gone = paths.filter((path) => !isNeeded || path !== deps.codeIntelDir);
  for (const path of gone) await attempt(() => remove(path));
  const { stateDir } = deps;
  if (stateDir !== null) {
    const files = SHARED_FILES.map((name) => join(stateDir, name));
    await removeUnfinishedWrites(files, { olderThanMs: STALE_MS });
  }
  return { removed: shown.removed, kept: shown.kept, problems };
}

async function remove(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw makeIoError(`remove "${path}"`, cause);
  });
}

/** Files of the state folder that all projects share. */
export const SHARED_FILES: readonly string[] = ["seal.key", "trust.json", "http_token"];

/** What the plan is made from. */
export interface PurgeDeps {
  readonly projectRoot: string;
  /** Absolute path of the project's `.code-intel`, which need not exist. */
  readonly codeIntelDir: string;
  /** The user's folder of the program; null without a home. */
  readonly stateDir: string | null;
  /** The index folder used when the index cannot lie in the project; null without a home folder. */
  readonly fallbackIndexDir: string | null;
  readonly openRepo: () => Promise<Repository | null>;
  /** Sessions of the project that the state folder remembers. */
  readonly listMarks: () => Promise<readonly string[]>;
  readonly forgetMark: (sessionId: string) => Promise<void>;
  /** What the user allowed for this repository, and how to withdraw it. */
  readonly countTrust: () => Promise<number>;
  readonly revokeTrust: () => Promise<number>;
}

/** A kind of thing that is removed, with its number. */
export interface PurgeItem {
  readonly what: string;
  readonly count: number;
  /** Size on the disk; absent where that is not counted. */
  readonly bytes?: number;
}

/** Something that is kept, and why. */
export interface KeptItem {
  readonly what: string;
  readonly why: string;
}

/** A plan that can be shown, and then carried out. */
export interface PurgePlan {
  readonly removed: readonly PurgeItem[];
  readonly kept: readonly KeptItem[];
  /** Absolute paths that are removed with all that they contain. */
  readonly paths: readonly string[];
  readonly refs: readonly { readonly ref: string; readonly id: string }[];
  readonly marks: readonly string[];
  readonly isTrustRevoked: boolean;
}

/** Reads and plans; nothing is changed. */
export async function planPurge(deps: PurgeDeps): Promise<PurgePlan> {
  const repo = await deps.openRepo();
  const marks = await deps.listMarks();
  const others = repo === null ? [] : await listOthers(repo, deps.codeIntelDir);
  const own = new Set([...await listSessionIds(join(deps.codeIntelDir, "sessions")), ...marks]);
  const isOwn = (id: string | null) => others.length === 0 || (id !== null && own.has(id));
  const refs = repo === null ? [] : (await listOwnRefs(repo)).filter((ref) => isOwn(ref.sessionId));
  const branches = repo === null ? [] : (await listTaskBranches(repo))
    .filter(({ sessionId }) => sessionId !== null && isOwn(sessionId));
  const done = branches.filter(isDone);
  const trust = others.length === 0 ? await deps.countTrust() : 0;
  const inGit = repo === null ? [] : await listInGit(repo, { others, own });
  const folders = [deps.codeIntelDir, ...inGit];
  const { stateDir, fallbackIndexDir: indexDir } = deps;
  if (indexDir !== null) folders.push(indexDir);
  // Both have the name of the project's root.
  if (indexDir !== null && stateDir !== null) {
    folders.push(join(stateDir, "workspaces", basename(indexDir)));
  }
  const sizes = await Promise.all(
    folders.map(async (path) => ({ path, ...await measureFolder(path) })),
  );
  const found = sizes.filter(({ isThere }) => isThere);
  return {
    paths: found.map(({ path }) => path),
    refs: [
      ...refs.map(({ ref, id }) => ({ ref, id })),
      ...done.map(({ name, tip }) => ({ ref: `refs/heads/${name}`, id: tip })),
    ],
    marks,
    isTrustRevoked: trust > 0,
    removed: listRemoved({ found, refs, done, marks, trust }),
    kept: [
      ...listKept(branches.filter((branch) => !isDone(branch)), others),
      ...repo === null ? [] : listKeptNotes((await listNotes(repo)).entries.size),
      ...repo === null ? [] : listKeptPacks(await listShareRefs(repo)),
      ...await listSharedFiles(deps, { hasGit: repo !== null }),
    ],
  };
}

/** A task branch has nothing of its own once its base has all its commits. */
function isDone({ commitCount, checkedOutAt }: TaskBranch): boolean {
  return commitCount === 0 && checkedOutAt === null;
}

/** Session folders of the repository's other projects and worktrees. */
async function listOthers(repo: Repository, codeIntelDir: string): Promise<readonly string[]> {
  const own = join(codeIntelDir, "sessions");
  const others: string[] = [];
  for (const folder of await listSessionFolders(repo)) {
    if (folder !== own && (await listSessionIds(folder)).size > 0) others.push(folder);
  }
  return others;
}

/** Ids of the sessions that left any file in a folder, the archive included. */
async function listSessionIds(folder: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const place of [folder, join(folder, "archive")]) {
    try {
      for (const { name } of await listOwnFolder(place)) {
        const id = /^session_\d{8}_\d{6}(?:_[0-9a-f]{4})?/.exec(name)?.[0];
        if (id !== undefined) ids.add(id);
      }
    } catch {
      // Without the folder there are no sessions.
    }
  }
  return ids;
}

/**
 * What the program keeps in git's folders: everything, or in a folder shared with others only what
 * is known as ours.
 */
async function listInGit(
  repo: Repository,
  { others, own }: { readonly others: readonly string[]; readonly own: ReadonlySet<string> },
): Promise<readonly string[]> {
  if (others.length === 0) {
    const worktrees = join(repo.commonDir, "worktrees");
    const names = await Array.fromAsync(Deno.readDir(worktrees)).catch(() => []);
    const folders = names.map(({ name }) => join(worktrees, name, "code-intel"));
    return [...new Set([join(repo.commonDir, "code-intel"), ...folders])];
  }
  const folder = join(repo.gitDir, "code-intel");
  // A link in place of the folder leads to somebody else's files, which are not removed.
  const entries = await listOwnFolder(folder).catch(() => []);
  return entries.map(({ name }) => join(folder, name)).filter((path) =>
    own.has(basename(path).split(".")[0] ?? "")
  );
}

interface Found {
  readonly found: readonly {
    readonly path: string;
    readonly count: number;
    readonly bytes: number;
  }[];
  readonly refs: readonly OwnRef[];
  readonly done: readonly TaskBranch[];
  readonly marks: readonly string[];
  readonly trust: number;
}

function listRemoved({ found, refs, done, marks, trust }: Found): readonly PurgeItem[] {
  const items: PurgeItem[] = found.map(({ path, count, bytes }) => ({
    what: `${count === 1 ? "file" : "files"} in ${path}`,
    count,
    bytes,
  }));
  const names = done.map(({ name }) => name).join(", ");
  const rows: readonly (readonly [count: number, one: string, many: string, rest: string])[] = [
    [refs.length, "ref", "refs", "below refs/code-intel (snapshots, kept branches)"],
    [done.length, "task branch", "task branches", `without work of their own: ${names}`],
    [marks.length, "revision mark", "revision marks", "of sessions in the state folder"],
    [trust, "decision", "decisions", "about trust in this repository"],
  ];
  return [
    ...items,
    ...rows.filter(([count]) => count > 0).map(([count, one, many, rest]) => ({
      what: `${count === 1 ? one : many} ${rest}`,
      count,
    })),
  ];
}

/** The statements about commits belong to the history: the trailers of the commits cannot be checked without them. */
function listKeptNotes(count: number): readonly KeptItem[] {
  return count === 0 ? [] : [{
    what: `${formatCount(count, "note")} in ${NOTES_REF}`,
    why:
      `they prove what commits say of themselves; \`git update-ref -d ${NOTES_REF}\` removes them`,
  }];
}

/** Others push and pull them: leaving this project is no reason to take them from everybody. */
function listKeptPacks(refs: readonly OwnRef[]): readonly KeptItem[] {
  return refs.map(({ ref }) => ({
    what: `shared packs in ${ref}`,
    why:
      `whoever names this repository as a remote takes them; \`git update-ref -d ${ref}\` removes them`,
  }));
}

function listKept(branches: readonly TaskBranch[], others: readonly string[]): readonly KeptItem[] {
  const kept = branches.map(({ name, commitCount, base, checkedOutAt }): KeptItem => ({
    what: `branch ${name}`,
    why: commitCount === 0
      ? `it is checked out in ${checkedOutAt}; switch to another branch, then delete it`
      : commitCount === null
      ? `its base "${base}" is gone, so that nothing tells whether its work was merged`
      : `${commitCount} of its commits are not in "${base}"; merge or delete it yourself`,
  }));
  if (others.length === 0) return kept;
  const folders = others.map((folder) => join(folder, "..", "..")).join(", ");
  return [...kept, {
    what: "index, trust, and refs of other sessions",
    why: `they are shared with sessions of ${folders}`,
  }];
}

/**
 * Reports the existing files that stay because other projects need them, so that nobody wonders
 * about them.
 */
async function listSharedFiles(
  { stateDir }: PurgeDeps,
  { hasGit }: { readonly hasGit: boolean },
): Promise<readonly KeptItem[]> {
  const found = stateDir === null ? [] : await Promise.all(
    SHARED_FILES.map((name) => Deno.lstat(join(stateDir, name)).then(() => [name], () => [])),
  );
  const names = found.flat();
  return [
    ...(names.length === 0 ? [] : [{
      what: `${names.join(", ")} in ${stateDir}`,
      why: "they serve all your projects",
    }]),
    {
      what: "unpacked files in the cache folder",
      why: "they serve all your projects and may be deleted at any time",
    },
    ...(hasGit
      ? [{
        what: "objects of removed refs in git's store",
        why: "git drops what nothing names in its own time, or at once with `git gc --prune=now`",
      }]
      : []),
  ];
}
