/**
 * Brings files back from a snapshot when the user asks: first it plans and shows, then it writes.
 * A snapshot of the present state is made before anything is overwritten.
 */
import { formatCount } from "../base/text/plain_text.ts";
import { join, relative, resolve } from "node:path";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import type { Repository } from "../git/repository.ts";
import type { Snapshot } from "../git/snapshots/snapshots.ts";
import { writeWorktreeTree } from "../git/index/private_index.ts";
import { takeSnapshot } from "../git/snapshots/snapshots.ts";
import { restorePaths } from "../git/snapshots/restore.ts";
import { listSnapshots } from "../git/snapshots/snapshots.ts";
import { diffTrees, listTree } from "../git/trees/changes.ts";
import { createTrees, isManifestId, keepStateTrees } from "../ledger/trees.ts";
import { attributeToUser } from "../ledger/attribute_user.ts";
import type { SessionStore } from "../session/store_api.ts";

/** What restoring works with. */
export interface RestoreDeps {
  /** The repository that has the states of a session, by default those of the project; null where there is none. */
  readonly openRepo: (sessionId?: string) => Promise<Repository | null>;
  readonly store: SessionStore;
  readonly now: () => Date;
  /** Hashes of the protected texts, by project path. */
  readonly hashTexts: () => Promise<Readonly<Record<string, string>>>;
  /** Size limit for files in snapshots, in MiB. */
  readonly loadMaxFileMb: () => Promise<number>;
}

/** What to bring back. */
export interface RestoreInput {
  readonly sessionId: string;
  /** Number of the snapshot; default the first, which is the start of the session. */
  readonly to?: number;
  /** Files or folders, relative to `from`; empty: everything. */
  readonly paths: readonly string[];
  /** Absolute folder that the paths are relative to. */
  readonly from: string;
  /** Whether files that the snapshot lacks are deleted. */
  readonly exact: boolean;
}

/** What a restore will do. Paths are relative to the worktree. */
export interface RestorePlan {
  readonly repo: Repository;
  /** Names a file of the worktree as it would be given to this restore: relative to its `from`. */
  readonly toNamed: (treePath: string) => string;
  readonly sessionId: string;
  readonly snapshot: Snapshot;
  readonly paths: readonly string[] | "all";
  readonly exact: boolean;
  /** Files that will be written. */
  readonly writes: readonly string[];
  /** Files that the snapshot lacks: `exact` deletes them, otherwise they stay. */
  readonly surplus: readonly string[];
  /** Files of which the snapshot has only a hash, so that they cannot be brought back. */
  readonly hashOnly: readonly string[];
}

/** A plan, or why there is none. */
export type RestorePlanResult =
  | { readonly kind: "planned"; readonly plan: RestorePlan }
  | { readonly kind: "refused"; readonly problem: Problem };

/** What a restore did. Paths are relative to the worktree. */
export interface RestoreReport {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Number of the snapshot that holds the state before the restore. */
  readonly before: number;
  /**
   * Ref that keeps ignored and large files which were overwritten or deleted; null when there were
   * none.
   */
  readonly keptAs: string | null;
  /** Id of the active session in which the changes were attributed to the user; null without one. */
  readonly bookedIn: string | null;
}

/** Finds out what a restore would do; changes nothing. */
export async function planRestore(
  deps: RestoreDeps,
  input: RestoreInput,
): Promise<RestorePlanResult> {
  const repo = await deps.openRepo(input.sessionId);
  if (repo === null) {
    return refuse("git_required", "The project is in no git repository, so there is no snapshot", {
      hint: "Copies of files that the server allowed to change may lie in .code-intel/backup.",
    });
  }
  const { sessionId } = input;
  const found = await findSnapshot(repo, input);
  if (found.kind === "refused") return found;
  const named = await resolveWorktreePaths(repo, input);
  if (named.kind === "refused") return named;
  const { paths } = named;
  const from = await Deno.realPath(input.from);
  const toNamed = (treePath: string) =>
    relative(from, join(repo.worktree, treePath)).replaceAll("\\", "/");
  const { snapshot } = found;
  const maxFileMb = await deps.loadMaxFileMb();
  const { tree } = await writeWorktreeTree(repo, { sessionId, maxFileMb });
  const isWanted = createPathFilter(paths);
  const changes = (await diffTrees(repo, tree, snapshot.tree, { withoutRenames: true }))
    .filter(({ path, newMode, oldMode }) =>
      isWanted(path) && newMode !== GITLINK && oldMode !== GITLINK
    );
  const writes = changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  const surplus = changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  const hashOnly = snapshot.large.map(({ path }) => path).filter(isWanted);
  if (paths !== "all") {
    const unknown = await findUnknown(repo, snapshot.tree, {
      paths,
      known: [...surplus, ...hashOnly],
    });
    if (unknown !== undefined) {
      const path = toNamed(unknown);
      return refuse("not_in_snapshot", `Snapshot ${snapshot.number} has no "${path}"`, {
        hint: "Look at the numbers with `code-intel snapshots`, and choose another with --to.",
        path,
      });
    }
  }
  const { exact } = input;
  const lists = { paths, writes, surplus, hashOnly };
  return { kind: "planned", plan: { repo, toNamed, sessionId, snapshot, exact, ...lists } };
}

/** Git's mode of a submodule, whose content is not restored. */
const GITLINK = "160000";

type Refused = Extract<RestorePlanResult, { readonly kind: "refused" }>;

async function findSnapshot(
  repo: Repository,
  { sessionId, to }: RestoreInput,
): Promise<{ readonly kind: "found"; readonly snapshot: Snapshot } | Refused> {
  const snapshots = /^[A-Za-z0-9][\w.-]*$/.test(sessionId)
    ? await listSnapshots(repo, sessionId)
    : [];
  const [first] = snapshots;
  if (first === undefined) {
    return refuse("no_snapshots", `There is no snapshot of "${sessionId}"`, {
      hint: "`code-intel snapshots` lists the sessions that have some.",
    });
  }
  const snapshot = to === undefined ? first : snapshots.find(({ number }) => number === to);
  if (snapshot !== undefined) return { kind: "found", snapshot };
  const numbers = `${first.number} to ${snapshots.at(-1)?.number ?? first.number}`;
  return refuse("no_snapshots", `${sessionId} has no snapshot ${to}: it has ${numbers}`, {
    hint: `\`code-intel snapshots ${sessionId}\` lists them.`,
  });
}

async function resolveWorktreePaths(
  repo: Repository,
  { paths, from }: RestoreInput,
): Promise<{ readonly kind: "paths"; readonly paths: readonly string[] | "all" } | Refused> {
  if (paths.length === 0) return { kind: "paths", paths: "all" };
  const folder = await Deno.realPath(from);
  const wanted: string[] = [];
  for (const path of paths) {
    const inside = relative(repo.worktree, resolve(folder, path)).replaceAll("\\", "/");
    if (inside === "") return { kind: "paths", paths: "all" };
    if (inside === ".." || inside.startsWith("../")) {
      return refuse("outside_worktree", `"${path}" lies outside of ${repo.worktree}`, {
        hint: "Snapshots hold the files of the worktree only.",
        path,
      });
    }
    wanted.push(inside);
  }
  return { kind: "paths", paths: wanted };
}

/** The first named path that is neither in the snapshot nor among the files to be deleted. */
async function findUnknown(
  repo: Repository,
  tree: string,
  { paths, known }: { readonly paths: readonly string[]; readonly known: readonly string[] },
): Promise<string | undefined> {
  const files = [...known, ...(await listTree(repo, tree)).map(({ path }) => path)];
  return paths.find((path) => !files.some(createPathFilter([path])));
}

function createPathFilter(paths: readonly string[] | "all"): (path: string) => boolean {
  if (paths === "all") return () => true;
  return (path) => paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`));
}

function refuse(code: string, message: string, rest: Partial<Problem>): Refused {
  return { kind: "refused", problem: makeProblem(code, message, rest) };
}

/**
 * Carries a plan out while no other process works on the sessions of the project. In an active
 * session exactly the restored and deleted files are attributed to the user. A kill before the
 * booking leaves a finding that the user can resolve, so that no change goes unseen.
 */
export async function applyRestore(deps: RestoreDeps, plan: RestorePlan): Promise<RestoreReport> {
  const { repo, sessionId, snapshot, paths, exact } = plan;
  const maxFileMb = await deps.loadMaxFileMb();
  return await deps.store.withOperation(async () => {
    const label = `before restore of ${snapshot.number}`;
    const before = await takeSnapshot(repo, { sessionId, label, at: deps.now(), maxFileMb });
    const textsBefore = await deps.hashTexts();
    const { tree } = snapshot;
    const result = await restorePaths(repo, { tree, paths, exact, maxFileMb });
    const bookedIn = await attributeRestored(deps, repo, {
      paths: [...result.written, ...result.removed],
      textsBefore,
      from: `snapshot ${snapshot.number}`,
    });
    return { ...result, before: before.number, bookedIn };
  });
}

/**
 * Books restored files in the active session; null where there is none, or where its effects are
 * under way.
 */
async function attributeRestored(
  deps: RestoreDeps,
  repo: Repository,
  done: {
    readonly paths: readonly string[];
    readonly textsBefore: Readonly<Record<string, string>>;
    /** Where the restored files come from, for the report. */
    readonly from: string;
  },
): Promise<string | null> {
  const { paths } = done;
  const active = await deps.store.findActive();
  if (active?.kind !== "loaded" || paths.length === 0) return null;
  const { state, revision } = active.checkpoint;
  // A process that performs effects could not complete them on a checkpoint that changed meanwhile.
  if (state.pending !== null || state.ledger === undefined) return null;
  // A session keeps to the repository that it began with, which git may have replaced beside it.
  const isOwn = state.workspace.hasGit === (repo.isPrivate !== true);
  if (!isOwn || state.ledger.tree === null || isManifestId(state.ledger.tree)) return null;
  const trees = createTrees(repo);
  const maxFileMb = await deps.loadMaxFileMb();
  const now = await trees.write({ sessionId: active.id, maxFileMb });
  const texts = { before: done.textsBefore, now: await deps.hashTexts() };
  const booked = await attributeToUser(trees, state, { to: now, paths, texts });
  const states = { before: state, now: booked };
  await keepStateTrees(() => Promise.resolve(repo), active.id, states);
  const saved = await deps.store.save({ state: booked }, { expectedRevision: revision });
  if (saved.kind === "refused") return null;
  await deps.store.appendRecord(active.id, {
    kind: "note",
    at: deps.now().toISOString(),
    code: "restored_by_person",
    text: `The person restored ${formatCount(paths.length, "file")} from ${done.from}: ${
      paths.slice(0, 20).join(", ")
    }`,
  });
  return active.id;
}
