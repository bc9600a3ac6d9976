/** Asks the disk itself, where a program says that it could not write and not why. */
import { join } from "node:path";
import { findSystemCause } from "../system_cause.ts";
import type { SystemCause } from "../system_cause.ts";
import { appendOwnFile } from "./own_folder.ts";

/** What a program has written and taken back again may be free by now, so that more than a page is tried. */
const PROBE_BYTES = 64 * 1024;

/** Why nothing can be written to a folder; null where it can, or the folder itself is what is wrong. */
export async function probeDisk(folder: string): Promise<SystemCause | null> {
  const path = join(folder, `probe.${crypto.randomUUID().slice(0, 8)}.tmp`);
  try {
    appendOwnFile(path, new Uint8Array(PROBE_BYTES), { below: folder });
    return null;
  } catch (failure) {
    return findSystemCause((failure as Error).cause);
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}
