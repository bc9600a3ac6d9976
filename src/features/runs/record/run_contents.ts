/**
 * Which contents the files of the index had during a run: those that lay on disk as the index knows them, and that nobody
 * changed meanwhile. The run may be in a checkout of its own.
 */
import { join } from "node:path";
import { readStampText } from "../../../base/files/file_stamp.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { openIndexReader } from "../../../index/index_reader.ts";
import type { IndexView } from "../../../index/read/view.ts";
import { hashContentShort } from "../../../index/scan/file_reader.ts";
import type { RunPlace } from "../store/run_folder.ts";
import { listFolders } from "../store/run_folder.ts";

/** The files before a run. */
export interface FilesBefore {
  /** Hashes of the contents that the index knows, by path. */
  readonly known: ReadonlyMap<string, string>;
  readonly stamps: ReadonlyMap<string, string>;
}

/** Asks the index as it is; null where there is none to read, such as before the first one is built. */
export async function askIndex<T>(
  place: RunPlace,
  ask: (view: IndexView) => T,
): Promise<T | null> {
  for (const folder of await listFolders(place)) {
    const opening = openIndexReader(folder, place.projectRoot);
    if (opening.kind !== "open") continue;
    const { reader } = opening;
    try {
      return reader.snapshot(() => ask(reader.view));
    } finally {
      reader.close();
    }
  }
  return null;
}

/** Takes note of the files before a run in a folder; null without an index. */
export async function lookBefore(place: RunPlace, root: string): Promise<FilesBefore | null> {
  const files = await askIndex(place, (view) => view.listFiles());
  if (files === null) return null;
  const known = new Map(files.map(({ path, hash }) => [path, hash]));
  const stamps = [...known.keys()].flatMap((path) => {
    const stamp = readStampText(join(root, path));
    return stamp === null ? [] : [[path, stamp] as const];
  });
  return { known, stamps: new Map(stamps) };
}

/** Files that are read before others get their turn. */
const AT_ONCE = 200;

/** The hashes by path of the files whose content the index knows and that the run did not change. */
export async function readUnchanged(
  root: string,
  { known, stamps }: FilesBefore,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let count = 0;
  for (const [path, stamp] of stamps) {
    if (++count % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    if (readStampText(join(root, path)) !== stamp) continue;
    const file = readRegularFile(join(root, path), {
      within: root,
      maxBytes: LIMITS.fileBytes.value,
    });
    if (file.kind !== "read") continue;
    const hash = hashContentShort(file.bytes);
    if (hash === known.get(path)) found.set(path, hash);
  }
  return found;
}
