/**
 * Three-way merges of single tree entries, with which the agent's lines are told from the person's.
 */
import type { TreePath } from "../../base/paths.ts";
import { join } from "node:path";
import { openOwnFolder } from "../index/private_index.ts";
import type { Repository } from "../repository.ts";
import { listTree } from "./changes.ts";

/** A file of a tree without its path; null where the tree has no such file. */
export type Entry = { readonly mode: string; readonly oid: string } | null;

/** The three versions of one file. */
export interface MergeSides {
  /** The version that both sides started from. */
  readonly base: Entry;
  readonly ours: Entry;
  readonly theirs: Entry;
  /**
   * True to take the lines of `ours` where both sides changed the same lines; default: a conflict.
   */
  readonly prefersOurs?: boolean;
}

/** The merged file, or that it cannot be merged without a person. */
export type MergedEntry =
  | {
    readonly kind: "merged";
    readonly entry: Entry;
    /** True where both sides changed the same lines and those of `ours` were taken. */
    readonly isOverlapping?: true;
  }
  | { readonly kind: "conflict" };

/** Whether two entries have the same content and mode. */
export function isSameEntry(one: Entry, other: Entry): boolean {
  if (one === null || other === null) return one === other;
  return one.mode === other.mode && one.oid === other.oid;
}

/** Entries of some paths of a tree; one start of git. */
export async function readEntries(
  repo: Repository,
  tree: string,
  paths: readonly TreePath[],
): Promise<Map<TreePath, Entry>> {
  if (paths.length === 0) return new Map();
  const wanted = new Set(paths);
  const listed = await listTree(repo, tree, paths);
  return new Map(
    listed.filter(({ path }) => wanted.has(path)).map(({ path, mode, oid }) => [path, {
      mode,
      oid,
    }]),
  );
}

/** Merges three versions of a file: directly where one side is unchanged, else line by line. */
export async function mergeEntries(repo: Repository, sides: MergeSides): Promise<MergedEntry> {
  const { base, ours, theirs } = sides;
  if (isSameEntry(ours, theirs) || isSameEntry(base, theirs)) {
    return { kind: "merged", entry: ours };
  }
  if (isSameEntry(base, ours)) return { kind: "merged", entry: theirs };
  if (base === null || ours === null || theirs === null) return { kind: "conflict" };
  if ([base, ours, theirs].some((entry) => !entry.mode.startsWith("100"))) {
    return { kind: "conflict" };
  }
  const mode = base.mode === ours.mode ? theirs.mode : ours.mode;
  if (ours.oid === theirs.oid || base.oid === theirs.oid) {
    return { kind: "merged", entry: { mode, oid: ours.oid } };
  }
  if (base.oid === ours.oid) return { kind: "merged", entry: { mode, oid: theirs.oid } };
  const content = await mergeContents(repo, { base, ours, theirs }, sides.prefersOurs === true);
  if (content === null) return { kind: "conflict" };
  const entry = { mode, oid: content.oid };
  return { kind: "merged", entry, ...content.isOverlapping ? { isOverlapping: true } : {} };
}

type WholeSides = { readonly [side in "base" | "ours" | "theirs"]: NonNullable<Entry> };

/**
 * The merged text, and whether lines of `ours` were preferred; null for conflicts and binary files.
 */
async function mergeContents(
  repo: Repository,
  sides: WholeSides,
  prefersOurs: boolean,
): Promise<{ readonly oid: string; readonly isOverlapping: boolean } | null> {
  const folder = await Deno.makeTempDir({ dir: await openOwnFolder(repo), prefix: "merge-" });
  try {
    const names = ["ours", "base", "theirs"] as const;
    const files = await Promise.all(names.map(async (name) => {
      const path = join(folder, name);
      await Deno.writeFile(path, await repo.git.bytes(["cat-file", "blob", sides[name].oid]));
      return path;
    }));
    const merge = (...favour: readonly string[]) =>
      repo.git.run(["merge-file", "-p", "-q", ...favour, "--", ...files]);
    const plain = await merge();
    // The exit status is the number of conflicts; 255 is an error, which for readable files means
    // "binary".
    const isOverlapping = plain.code !== 0;
    const merged = isOverlapping && prefersOurs ? await merge("--ours") : plain;
    if (merged.code !== 0) return null;
    const args = ["hash-object", "-w", "--stdin"];
    return { oid: await repo.git.line(args, { stdin: merged.stdout }), isOverlapping };
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}
