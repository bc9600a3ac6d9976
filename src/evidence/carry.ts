/** Follows accepted evidence to the present tree, and tells which of it no longer holds. */
import type { LineChanges, LineHunk, LineRange } from "../git/trees/changed_lines.ts";
import type { ProjectPath, TreePath } from "../base/paths.ts";
import type { Change } from "../git/trees/changes.ts";
import type { CarriedEvidence, StaleEvidence, Task } from "../phase/tasks.ts";
import { languageOfPath } from "../language/languages.ts";
import { isSameCode } from "../syntax/normal_form.ts";
import type { EvidenceInput } from "./check.ts";
import { judgeEvidence } from "./check.ts";
import type { Location } from "./location.ts";
import { formatLocations, parseLocations } from "./location.ts";

/**
 * Where old lines are in the new file. `kept`: unchanged, with their neighbours. `changed`: some of
 * them are left, with what was added between them. `rewritten`: other lines stand in their place.
 * `gone`: none are left, or nobody can say which new lines replace them.
 */
export type CarriedRange =
  | {
    readonly kind: "kept" | "changed" | "rewritten";
    readonly start: number;
    readonly end: number;
  }
  | { readonly kind: "gone" };

/**
 * Lines this near to evidence count as beside it, because a removal is shown by the lines around
 * the gap.
 */
const BESIDE_LINES = 2;

/**
 * Follows a range through the hunks of a diff. The returned range begins and ends with a line of
 * the old range, or with a line that replaced only lines of it. It holds every old line that is
 * left.
 *
 * @param hunks from top to bottom, without context.
 * @param options `isLayout` where nothing but the layout of the file changed.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as deepEqual } from "node:assert/strict";
 * import { carryRange } from "./carry.ts";
 * const insertion = { oldStart: 2, oldCount: 0, newStart: 3, newCount: 4 };
 * deepEqual(carryRange({ start: 8, end: 9 }, [insertion]), { kind: "kept", start: 12, end: 13 });
 * const removal = { oldStart: 8, oldCount: 2, newStart: 7, newCount: 0 };
 * deepEqual(carryRange({ start: 8, end: 9 }, [removal]), { kind: "gone" });
 * ```
 */
export function carryRange(
  range: LineRange,
  hunks: readonly LineHunk[],
  { isLayout = false }: { readonly isLayout?: boolean } = {},
): CarriedRange {
  const surviving: LineRange[] = [];
  const replacing: LineRange[] = [];
  let isTouched = false;
  let next = range.start;
  let offset = 0;
  for (const hunk of hunks) {
    // Added lines stand before the line that follows them, and replace none.
    const first = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    const last = first + hunk.oldCount - 1;
    isTouched ||= first <= range.end + BESIDE_LINES && last >= range.start - BESIDE_LINES;
    if (first > range.end) break;
    if (last >= range.start) {
      if (next < first) surviving.push({ start: next + offset, end: first - 1 + offset });
      // Where only the layout is other, the old lines are somewhere in the new ones.
      const isWithin = isLayout || (first >= range.start && last <= range.end);
      if (isWithin && hunk.oldCount > 0 && hunk.newCount > 0) replacing.push(newLinesOf(hunk));
      next = last + 1;
    }
    offset += hunk.newCount - hunk.oldCount;
  }
  if (next <= range.end) surviving.push({ start: next + offset, end: range.end + offset });
  const lines = [...surviving, ...replacing];
  if (lines.length === 0) return { kind: "gone" };
  return {
    kind: surviving.length === 0 ? "rewritten" : isTouched ? "changed" : "kept",
    start: Math.min(...lines.map(({ start }) => start)),
    end: Math.max(...lines.map(({ end }) => end)),
  };
}

function newLinesOf({ newStart, newCount }: LineHunk): LineRange {
  return { start: newStart, end: newStart + newCount - 1 };
}

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

/** One place of the evidence of an item, which is being followed. */
interface Piece {
  readonly index: number;
  readonly location: Location;
  /** In the tree of the evidence. */
  readonly path: TreePath;
}

/** Where a piece of evidence is now, and whether its lines changed, so that it has to be judged again. */
interface MovedPiece {
  readonly location: Location;
  readonly isTouched: boolean;
}

/** What is known while the evidence of a task is followed. */
interface Context {
  readonly task: Task;
  readonly input: CarryInput;
  readonly trees: NonNullable<CarryInput["trees"]>;
  readonly baselineTree: string;
  readonly currentTree: string;
  /** The tree in which the evidence was accepted. */
  readonly evidenceTree: string;
  /** All changes of the session, by present name. */
  readonly changes: ReadonlyMap<TreePath, Change>;
  /** Names that the session took away. */
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
  const all = await trees.changes(baselineTree, currentTree);
  const changes = new Map(all.map((change) => [change.path, change]));
  const gone = new Set(
    all.flatMap(({ kind, path, from }) => kind === "deleted" ? [path] : from ?? []),
  );
  const found = [];
  for (const task of due) {
    const evidenceTree = task.evidenceTree ?? currentTree;
    const base = { task, input, trees, baselineTree, currentTree, evidenceTree };
    found.push({ task, ...await carryTask({ ...base, changes, gone }) });
  }
  return {
    carried: found.map(({ task, items }) => ({ taskId: task.id, tree: currentTree, items })),
    stale: found.filter(({ lost }) => lost.length > 0)
      .map(({ task, lost }) => ({ taskId: task.id, items: lost })),
  };
}

async function carryTask(context: Context): Promise<{
  readonly items: CarriedEvidence["items"];
  /** Items whose evidence is gone. */
  readonly lost: readonly number[];
}> {
  const { task, input, trees, evidenceTree, currentTree } = context;
  const pieces = listPieces(context);
  if (pieces.length === 0) return { items: [], lost: [] };
  const paths = pieces.map(({ path }) => path);
  const moves = new Map(
    [...(await trees.changedLines(evidenceTree, currentTree, paths)).values()]
      .map((change) => [change.change.from ?? change.change.path, change]),
  );
  const moved = [];
  for (const [index, own] of Map.groupBy(pieces, (piece) => piece.index)) {
    const now: MovedPiece[] = [];
    for (const piece of own) {
      const one = await carryPiece(piece, context, moves.get(piece.path));
      if (one !== null) now.push(one);
    }
    // Evidence of several places stands with all of them.
    if (now.length < own.length) continue;
    const [before, after] = [own, now].map((all) =>
      formatLocations(all.map(({ location }) => location))
    );
    const old = task.checklist[index]?.evidence ?? after ?? "";
    const evidence = before === after ? old : after ?? "";
    moved.push({ index, evidence, isTouched: now.some(({ isTouched }) => isTouched) });
  }
  const touched = moved.filter(({ isTouched }) => isTouched);
  const failing = await judgeEvidence(
    input,
    touched.map(({ evidence, index }) => {
      const { item = "", reason = "" } = task.checklist[index] ?? {};
      return { evidence, words: [item, task.description, reason] };
    }),
  );
  const items = moved.filter((entry) => !failing.has(touched.indexOf(entry)))
    .map(({ index, evidence }) => ({ index, evidence }));
  const lost = new Set(pieces.map(({ index }) => index))
    .difference(new Set(items.map(({ index }) => index)));
  return { items, lost: [...lost] };
}

function listPieces({ task, input }: Context): readonly Piece[] {
  return task.checklist.flatMap((item, index) => {
    const places = item.status === "done" ? parseLocations(item.evidence ?? "") : [];
    return places.flatMap((location) => {
      const resolved = input.toWorktree(location.path);
      return resolved.kind === "path" ? [{ index, location, path: resolved.path }] : [];
    });
  });
}

/**
 * Where a piece of evidence is now; null when it is gone.
 *
 * @param change what happened to its file since; undefined when nothing did.
 */
async function carryPiece(
  piece: Piece,
  context: Context,
  change: LineChanges | undefined,
): Promise<MovedPiece | null> {
  const { location, path } = piece;
  const { changes, gone, input } = context;
  if (location.kind === "deleted") return gone.has(path) ? { location, isTouched: false } : null;
  const kind = change?.change.kind;
  const present = change?.change.path ?? path;
  if (kind === "deleted" || kind === "type" || !changes.has(present)) return null;
  const shown = present === path ? location.path : input.toProject(present);
  if (location.kind !== "lines") {
    // Later edits can keep git from recognising the rename; what matters is that the old name is
    // still gone.
    const isTouched = location.kind === "renamed"
      ? !await isStillRenamed(path, context)
      : change !== undefined;
    return { location: { ...location, path: shown }, isTouched };
  }
  const { start: first, end: last } = location;
  const carried: CarriedRange = change === undefined
    ? { kind: "kept", start: first, end: last }
    : change.isBinary
    ? { kind: "gone" }
    : carryRange(location, change.hunks);
  if (carried.kind === "gone") {
    return change === undefined ? null : await carryLayout(location, context, { path, change });
  }
  const { start, end } = carried;
  return { location: { ...location, path: shown, start, end }, isTouched: carried.kind !== "kept" };
}

/** Lines that a formatter joined with others or parted; null where more than the layout changed. */
async function carryLayout(
  location: Extract<Location, { readonly kind: "lines" }>,
  { trees, evidenceTree, currentTree }: Context,
  { path, change }: { readonly path: TreePath; readonly change: LineChanges },
): Promise<MovedPiece | null> {
  const language = languageOfPath(path)?.name;
  if (change.isBinary || language === undefined) return null;
  const before = await trees.readText(evidenceTree, path);
  const after = await trees.readText(currentTree, change.change.path);
  if (before === null || after === null) return null;
  if (await isSameCode(before, after, { language, ignoring: "layout" }) !== true) return null;
  const carried = carryRange(location, change.hunks, { isLayout: true });
  if (carried.kind === "gone") return null;
  const { start, end } = carried;
  return { location: { ...location, start, end }, isTouched: false };
}

async function isStillRenamed(
  path: TreePath,
  { trees, baselineTree, evidenceTree, gone }: Context,
): Promise<boolean> {
  const [change] = await trees.changes(baselineTree, evidenceTree, [path]);
  return change?.kind === "renamed" && change.from !== undefined && gone.has(change.from);
}
