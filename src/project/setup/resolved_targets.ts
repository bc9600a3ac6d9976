/**
 * Plans each wish at the file where it really leads. Links can make two names of clients lead to
 * one file: that file is planned once with everything that both clients want of it. So neither
 * overwrites the other, and a second run changes nothing.
 */
import type { DesiredFile } from "../../clients/setup.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import { findLinkTarget, readFileState } from "../edits/file_state.ts";
import { isEqualJson } from "../edits/json_edit.ts";
import type { DesiredChange, FileState, PlannedFile } from "./init_plan.ts";
import { planRefusal } from "./init_plan.ts";
import type { SetupManifest } from "./setup_manifest.ts";

/** The wishes by their file. */
export interface ResolvedTargets {
  readonly wishes: readonly DesiredChange[];
  readonly states: ReadonlyMap<string, FileState>;
  /** Names that are links, with the project path that each leads to. */
  readonly links: ReadonlyMap<string, string>;
  /** Files for which clients want different texts under different names. */
  readonly shared: ReadonlySet<string>;
  /** Wishes that cannot be met, because a wish of another form is for the same file. */
  readonly refused: readonly PlannedFile[];
}

/** What is known of all clients. */
export interface ResolveOptions {
  /** Names of the files of instructions, and the block for one that has two of them. */
  readonly names: readonly string[];
  readonly block: string;
  /** Wishes of the client whose text a shared file has, whether or not it is set up now. */
  readonly first: readonly DesiredFile[];
}

/** Moves each wish to the path that it really leads to, and reads the files there. */
export async function resolveTargets(
  places: SetupRoots,
  wishes: readonly DesiredChange[],
  { names, block, first }: ResolveOptions,
): Promise<ResolvedTargets> {
  const states = new Map<string, FileState>();
  const links = new Map<string, string>();
  const all = [...first, ...wishes].map((wish) => wish.path);
  for (const path of new Set([...all, ...names])) {
    const target = await findLinkTarget(places, path);
    if (target.kind === "odd") states.set(path, target);
    if (target.kind === "inside") links.set(path, target.path);
  }
  const toPlace = (path: string) => links.get(path) ?? path;
  const isShared = new Set(names.map(toPlace)).size < names.length;
  const merge: Merge = { taken: new Map(), shared: new Set(), refused: [] };
  for (const wish of wishes) {
    const path = toPlace(wish.path);
    if (!states.has(path)) states.set(path, await readFileState(places, path));
    // Where two clients read one file under two names, one text serves both.
    const text = wish.kind === "block" && isShared ? { body: block } : {};
    const placed = { ...wish, ...text, path } as DesiredChange;
    const leading = first.filter((other) => toPlace(other.path) === path);
    addDesired(merge, adoptLeading(placed, leading, merge), wish.path);
  }
  const { shared, refused } = merge;
  return { wishes: [...merge.taken.values()].flat(), states, links, shared, refused };
}

interface Merge {
  readonly taken: Map<string, DesiredChange[]>;
  readonly shared: Set<string>;
  readonly refused: PlannedFile[];
}

/** The wish with the text or the values of the client that comes first. */
function adoptLeading(
  placed: DesiredChange,
  leading: readonly DesiredFile[],
  { shared }: Merge,
): DesiredChange {
  let now = placed;
  for (const other of leading) {
    if (now.kind === "file" && other.kind === "file") now = { ...now, text: other.text };
    if (now.kind === "json" && other.kind === "json") {
      const pieces = now.pieces.map((piece) =>
        other.pieces.find(({ at }) => isEqualJson(at, piece.at)) ?? piece
      );
      now = { ...now, pieces };
    }
  }
  if (!isEqualJson(now, placed)) shared.add(placed.path);
  return now;
}

/** Adds a wish to what is wanted of its file already. */
function addDesired({ taken, shared, refused }: Merge, wish: DesiredChange, name: string): void {
  const others = taken.get(wish.path) ?? [];
  taken.set(wish.path, others);
  const [other] = others;
  if (other === undefined || wish.kind === "members") {
    others.push(wish);
  } else if (other.kind === "json" && wish.kind === "json") {
    // One list of hooks in a file gets only one group of ours.
    const isNew = (at: readonly string[]) => !other.pieces.some((one) => isEqualJson(one.at, at));
    const added = wish.pieces.filter(({ at }) => isNew(at));
    if (added.length < wish.pieces.length) shared.add(wish.path);
    others[0] = { ...other, pieces: [...other.pieces, ...added] };
  } else if (other.kind !== wish.kind) {
    const reason = `it is the same file as ${wish.path}, which has another form`;
    refused.push(planRefusal(name, reason, `Give ${name} a file of its own, then run init again.`));
  }
}

/** The manifest with each file under its real path. */
export function withoutLinks(manifest: SetupManifest, { links }: ResolvedTargets): SetupManifest {
  const edits = Object.entries(manifest.edits).filter(([path]) => {
    const target = links.get(path);
    return target === undefined || manifest.edits[target] === undefined;
  });
  return { ...manifest, edits: Object.fromEntries(edits) };
}

/** Adds to a planned file the names that lead to it. */
export function withNames(file: PlannedFile, { links, shared }: ResolvedTargets): PlannedFile {
  const names = [...links].filter(([, target]) => target === file.path).map(([name]) => name);
  if (names.length === 0 || file.text === null || file.reason !== null) return file;
  const verb = names.length === 1 ? "is a link" : "are links";
  const whose = shared.has(file.path)
    ? "; all clients read this one file, and it has what Claude Code needs"
    : "";
  return { ...file, reason: `${names.join(", ")} ${verb} to it${whose}` };
}
