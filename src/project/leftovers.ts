/**
 * Finds files in `.code-intel` that nothing uses any more: the remains of killed processes and of
 * damage.
 */
import { join } from "node:path";
import { toIoError } from "../base/errors.ts";
import { listOwnFolder } from "../base/files/own_folder.ts";

/** One such file. */
export interface Leftover {
  /** Path relative to `.code-intel`. */
  readonly path: string;
  /** A write that was not finished, a damaged checkpoint, or records without a checkpoint. */
  readonly kind: "temporary" | "damaged" | "orphaned";
  /** Time of the last write, in milliseconds. */
  readonly writtenAt: number;
}

const FOLDERS = ["", "sessions"];
const CHECKPOINT = /^(session_[0-9a-f_]+)\.json(?:\.prev)?$/;
const RECORDS = /^(session_[0-9a-f_]+)\.records\.jsonl$/;

/** Lists the leftovers, sorted by path; empty where the folder does not exist. */
export async function listLeftovers(codeIntelDir: string): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const folder of FOLDERS) {
    const names = await listFiles(join(codeIntelDir, folder));
    const ids = new Set(names.map((name) => CHECKPOINT.exec(name)?.[1]));
    for (const name of names) {
      const kind = toKind(name, ids);
      if (kind === undefined) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const info = await Deno.lstat(join(codeIntelDir, path)).catch(() => null);
      if (info !== null) found.push({ path, kind, writtenAt: info.mtime?.getTime() ?? 0 });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function toKind(
  name: string,
  ids: ReadonlySet<string | undefined>,
): Leftover["kind"] | undefined {
  if (name.endsWith(".tmp")) return "temporary";
  if (/\.json\.corrupt-\d+$/.test(name)) return "damaged";
  const id = RECORDS.exec(name)?.[1];
  return id !== undefined && !ids.has(id) ? "orphaned" : undefined;
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for (const entry of await listOwnFolder(folder)) if (entry.isFile) names.push(entry.name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw toIoError(`list "${folder}"`, error);
  }
  return names;
}
