/** Follows accepted evidence to the present tree, and tells which of it no longer holds. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Change, LineChanges } from "../git/mod.ts";
import type { CarriedEvidence, StaleEvidence, Task } from "../phase/mod.ts";
import type { CarriedRange } from "./carry_range.ts";
import { carryRange } from "./carry_range.ts";
import type { EvidenceInput } from "./check.ts";
import { judgeEvidence } from "./check.ts";
import type { Location } from "./location.ts";
import { parseLocation } from "./location.ts";

/** What accepted evidence is compared with. */
export interface CarryInput extends EvidenceInput {
  /** Turns a path of the worktree into the path that the agent knows. */
  readonly toProject: (path: TreePath) => ProjectPath;
}

/** The evidence of completed tasks, in the present tree. */
export interface CarriedTasks {
  /**
   * Tasks with the present texts of their evidence; tasks whose evidence is in the present tree
   * already are left out.
   */
  readonly carried: readonly CarriedEvidence[];
  /** Items whose evidence no longer exists or no longer holds. */
  readonly stale: readonly StaleEvidence[];
}

/** One piece of evidence that is being followed. */
interface Piece {
  readonly index: number;
  readonly location: Location;
  /** In the tree of the evidence. */
  readonly path: TreePath;
}

/** Where a piece of evidence is now. */
interface Moved {
  readonly index: number;
  readonly evidence: string;
  /** Whether its lines changed, so that it has to be judged again. */
  readonly isTouched: boolean;
}

/** All changes of the session: by present name, and the names that are gone. */
interface Now {
  readonly changes: ReadonlyMap<TreePath, Change>;
  readonly gone: ReadonlySet<TreePath>;
}

/**
 * Follows the evidence of completed tasks from the tree where it was accepted to the present one,
 * line by line and through renames. Evidence whose lines changed is judged again like a new report,
 * so that work which was removed or emptied no longer counts.
 */
export async function carryEvidence(
  tasks: readonly Task[],
  input: CarryInput,
): Promise<CarriedTasks> {
  const { trees, currentTree, baselineTree } = input;
  const due = tasks.filter(({ status, evidenceTree }) =>
    status === "completed" && evidenceTree !== null && evidenceTree !== currentTree
  );
  if (trees === null || currentTree === null || baselineTree === null || due.length === 0) {
    return { carried: [], stale: [] };
  }
  const now = toNow(await trees.changes(baselineTree, currentTree));
  const carried: CarriedEvidence[] = [];
  const stale: StaleEvidence[] = [];
  for (const task of due) {
    const { moved, gone } = await carryTask(task, input, now);
    carried.push({
      taskId: task.id,
      tree: currentTree,
      items: moved.map(({ index, evidence }) => ({ index, evidence })),
    });
    if (gone.length > 0) stale.push({ taskId: task.id, items: gone });
  }
  return { carried, stale };
}

function toNow(changes: readonly Change[]): Now {
  return {
    changes: new Map(changes.map((change) => [change.path, change])),
    gone: new Set(
      changes.flatMap(({ kind, path, from }) =>
        kind === "deleted" ? [path] : from === undefined ? [] : [from]
      ),
    ),
  };
}

async function carryTask(
  task: Task,
  input: CarryInput,
  now: Now,
): Promise<{ readonly moved: readonly Moved[]; readonly gone: readonly number[] }> {
  const { trees, currentTree } = input;
  const pieces = toPieces(task, input);
  if (trees === null || currentTree === null || task.evidenceTree === null || pieces.length === 0) {
    return { moved: [], gone: [] };
  }
  const paths = pieces.map(({ path }) => path);
  const changes = [
    ...(await trees.changedLines(task.evidenceTree, currentTree, paths)).values(),
  ];
  const moves = new Map(
    changes.map((change) => [change.change.from ?? change.change.path, change]),
  );
  const moved: Moved[] = [];
  for (const piece of pieces) {
    const found = await carryPiece(piece, { task, input, now, change: moves.get(piece.path) });
    if (found !== null) moved.push(found);
  }
  const touched = moved.filter(({ isTouched }) => isTouched);
  const failing = await judgeEvidence(
    input,
    touched.map(({ evidence, index }) => {
      const { item = "", reason = "" } = task.checklist[index] ?? {};
      return { evidence, words: [item, task.description, reason] };
    }),
  );
  const standing = moved.filter((entry) => !failing.has(touched.indexOf(entry)));
  const isStanding = new Set(standing.map(({ index }) => index));
  return {
    moved: standing,
    gone: pieces.map(({ index }) => index).filter((index) => !isStanding.has(index)),
  };
}

function toPieces(task: Task, input: CarryInput): readonly Piece[] {
  return task.checklist.flatMap((item, index) => {
    const location = item.status === "done" ? parseLocation(item.evidence ?? "") : null;
    const resolved = location === null ? null : input.toWorktree(location.path);
    return location === null || resolved?.kind !== "path"
      ? []
      : [{ index, location, path: resolved.path }];
  });
}

/** Where a piece of evidence is now; null when it is gone. */
async function carryPiece(
  piece: Piece,
  context: {
    readonly task: Task;
    readonly input: CarryInput;
    readonly now: Now;
    /** What happened to the piece's file since; undefined when nothing did. */
    readonly change: LineChanges | undefined;
  },
): Promise<Moved | null> {
  const { location, path, index } = piece;
  const { change, now, input } = context;
  if (location.kind === "deleted") {
    return now.gone.has(path) ? toMoved(piece, { input, path, tail: "deleted" }) : null;
  }
  const kind = change?.change.kind;
  const present = change?.change.path ?? path;
  if (kind === "deleted" || kind === "type" || !now.changes.has(present)) return null;
  if (location.kind !== "lines") {
    const moved = toMoved(piece, { input, path: present, tail: location.kind });
    // Later edits can keep git from recognising the rename; what matters is that the old name is
    // still gone.
    return location.kind === "renamed"
      ? { ...moved, isTouched: !await isStillRenamed(path, context) }
      : { ...moved, isTouched: change !== undefined };
  }
  const carried: CarriedRange = change === undefined
    ? { kind: "kept", start: location.start, end: location.end }
    : change.isBinary
    ? { kind: "gone" }
    : carryRange(location, change.hunks);
  if (carried.kind === "gone") return null;
  const { start, end } = carried;
  const isSame = present === path && start === location.start && end === location.end;
  const tail = start === end ? `${start}` : `${start}-${end}`;
  const moved = toMoved(piece, { input, path: present, tail });
  const evidence = isSame
    ? context.task.checklist[index]?.evidence ?? moved.evidence
    : moved.evidence;
  return { index, evidence, isTouched: carried.kind !== "kept" };
}

function toMoved(
  { index, location, path }: Piece,
  now: { readonly input: CarryInput; readonly path: TreePath; readonly tail: string },
): Moved {
  const name = now.path === path ? location.path : now.input.toProject(now.path);
  return { index, evidence: `${name}:${now.tail}`, isTouched: false };
}

async function isStillRenamed(
  path: TreePath,
  { task, input, now }: { readonly task: Task; readonly input: CarryInput; readonly now: Now },
): Promise<boolean> {
  const { trees, baselineTree } = input;
  if (trees === null || baselineTree === null || task.evidenceTree === null) return false;
  const [change] = await trees.changes(baselineTree, task.evidenceTree, [path]);
  return change?.kind === "renamed" && change.from !== undefined && now.gone.has(change.from);
}
