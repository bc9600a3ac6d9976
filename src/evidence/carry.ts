/** Follows accepted evidence to the present tree, and tells which of it no longer holds. */
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { LineChanges } from "../git/trees/changed_lines.ts";
import type { Change } from "../git/trees/changes.ts";
import type { CarriedEvidence, StaleEvidence, Task } from "../phase/tasks.ts";
import { languageOfPath } from "../language/languages.ts";
import { isSameCode } from "../syntax/normal_form.ts";
import type { CarriedRange } from "./carry_range.ts";
import { carryRange } from "./carry_range.ts";
import type { EvidenceInput } from "./check.ts";
import { judgeEvidence } from "./check.ts";
import type { Location } from "./location.ts";
import { parseLocations, toLocationsText } from "./location.ts";

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
interface MovedPiece {
  readonly index: number;
  readonly location: Location;
  /** Whether its lines changed, so that it has to be judged again. */
  readonly isTouched: boolean;
}

/** Where the evidence of an item is now. */
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
  for (const [index, own] of Map.groupBy(pieces, (piece) => piece.index)) {
    const found: MovedPiece[] = [];
    for (const piece of own) {
      const one = await carryPiece(piece, { task, input, now, change: moves.get(piece.path) });
      if (one !== null) found.push(one);
    }
    // Evidence of several places stands with all of them.
    if (found.length === own.length) moved.push(toMoved(task, index, { before: own, now: found }));
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
    gone: [...new Set(pieces.map(({ index }) => index))].filter((index) => !isStanding.has(index)),
  };
}

function toPieces(task: Task, input: CarryInput): readonly Piece[] {
  return task.checklist.flatMap((item, index) => {
    const places = item.status === "done" ? parseLocations(item.evidence ?? "") : [];
    return places.flatMap((location) => {
      const resolved = input.toWorktree(location.path);
      return resolved.kind === "path" ? [{ index, location, path: resolved.path }] : [];
    });
  });
}

/** The evidence of an item with its present places; its text stays where none has moved. */
function toMoved(
  task: Task,
  index: number,
  { before, now }: { readonly before: readonly Piece[]; readonly now: readonly MovedPiece[] },
): Moved {
  const places = now.map(({ location }) => location);
  const text = toLocationsText(places);
  const isSame = text === toLocationsText(before.map(({ location }) => location));
  const evidence = isSame ? task.checklist[index]?.evidence ?? text : text;
  return { index, evidence, isTouched: now.some(({ isTouched }) => isTouched) };
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
): Promise<MovedPiece | null> {
  const { location, path, index } = piece;
  const { change, now, input } = context;
  if (location.kind === "deleted") {
    return now.gone.has(path) ? { index, location, isTouched: false } : null;
  }
  const kind = change?.change.kind;
  const present = change?.change.path ?? path;
  if (kind === "deleted" || kind === "type" || !now.changes.has(present)) return null;
  const shown = present === path ? location.path : input.toProject(present);
  if (location.kind !== "lines") {
    // Later edits can keep git from recognising the rename; what matters is that the old name is
    // still gone.
    const isTouched = location.kind === "renamed"
      ? !await isStillRenamed(path, context)
      : change !== undefined;
    return { index, location: { ...location, path: shown }, isTouched };
  }
  const carried: CarriedRange = change === undefined
    ? { kind: "kept", start: location.start, end: location.end }
    : change.isBinary
    ? { kind: "gone" }
    : carryRange(location, change.hunks);
  if (carried.kind === "gone") return await carryLayout(piece, context);
  const { start, end } = carried;
  return {
    index,
    location: { ...location, path: shown, start, end },
    isTouched: carried.kind !== "kept",
  };
}

/** Lines that a formatter joined with others or parted; null where more than the layout changed. */
async function carryLayout(
  { index, location, path }: Piece,
  { task, input, change }: {
    readonly task: Task;
    readonly input: CarryInput;
    readonly change: LineChanges | undefined;
  },
): Promise<MovedPiece | null> {
  const { trees, currentTree } = input;
  const language = languageOfPath(path)?.name;
  if (location.kind !== "lines" || change === undefined || change.isBinary) return null;
  if (language === undefined || trees === null || !task.evidenceTree || !currentTree) return null;
  const before = await trees.readText(task.evidenceTree, path);
  const after = await trees.readText(currentTree, change.change.path);
  if (before === null || after === null) return null;
  if (await isSameCode(before, after, { language, ignoring: "layout" }) !== true) return null;
  const carried = carryRange(location, change.hunks, { isLayout: true });
  if (carried.kind === "gone") return null;
  const { start, end } = carried;
  return { index, location: { ...location, start, end }, isTouched: false };
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
