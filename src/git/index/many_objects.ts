/**
 * Keeps many new objects in packs: as files of their own 60,000 small ones take 240 MB of the disk, in packs 3 MB. Git
 * writes a pack by itself only where it receives one.
 */
import { join } from "node:path";
import type { TreePath } from "../../base/paths.ts";
import type { Repository } from "../repository.ts";
import { isPartialClone } from "./loose_objects.ts";

/** From so many new files on they go into packs (guessed): a commit of fewer is common, and git writes a file for each. */
const MANY = 500;

/** Most files of one pack: git compares each with all that it has written to the same one. */
const PART = 10_000;

/** The paths in parts, each for one start of git, with the options under which it writes their contents. */
export function toStageParts(paths: readonly TreePath[]): readonly StagePart[] {
  // Contents above the threshold go into a pack as they are read.
  const options = paths.length < MANY ? [] : ["-c", "core.bigFileThreshold=1"];
  const parts: StagePart[] = [];
  for (let at = 0; at < paths.length; at += PART) {
    parts.push({ paths: paths.slice(at, at + PART), options });
  }
  return parts;
}

/** Paths that one start of git stages. */
export interface StagePart {
  readonly paths: readonly TreePath[];
  readonly options: readonly string[];
}

/**
 * Packs what a tree of many new files still has in files of their own: its folders, and texts whose line ends git
 * converts. Nothing is lost where it fails, so a failure is passed over. A partial clone would fetch for it.
 */
export async function packTree(repo: Repository, tree: string, newFiles: number): Promise<void> {
  if (newFiles < MANY || isPartialClone(repo)) return;
  const target = join(repo.commonDir, "objects", "pack", "pack");
  const args = ["--revs", "--incremental", "--non-empty", "--window=0", "-q", target];
  const packed = await repo.git.run(["pack-objects", ...args], { stdin: `${tree}\n` });
  if (packed.code === 0) await repo.git.run(["prune-packed", "-q"]);
}
