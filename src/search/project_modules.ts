/** Reads the build files of a project once for each state of them, and keeps the map of its modules. */
import { join } from "node:path";
import { decodeText } from "../backends/mod.ts";
import { isBuildFile, readBuildFacts } from "./build_files.ts";
import type { ModuleMap } from "./module_map.ts";
import { createModuleMap } from "./module_map.ts";

const MAX_BUILD_FILES = 400;
const MAX_BUILD_BYTES = 256 * 1024;

/** The module map of one project; it is made anew when the list of files or a build file changed. */
export class ProjectModules {
  readonly #root: string;
  #made:
    | { readonly list: readonly string[]; readonly stamp: string; readonly map: ModuleMap }
    | null = null;

  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /** The map for a list of files, which is compared by identity. */
  async load(list: readonly string[]): Promise<ModuleMap> {
    const files = list.filter(isBuildFile).slice(0, MAX_BUILD_FILES);
    const stamps = await Promise.all(files.map((path) => readStamp(join(this.#root, path))));
    const stamp = stamps.join("\n");
    if (this.#made?.list === list && this.#made.stamp === stamp) return this.#made.map;
    const texts = new Map<string, string>();
    await Promise.all(files.map(async (path) => {
      const text = await readSmall(join(this.#root, path));
      if (text !== undefined) texts.set(path, text);
    }));
    const map = createModuleMap(list, readBuildFacts(texts));
    this.#made = { list, stamp, map };
    return map;
  }
}

async function readStamp(path: string): Promise<string> {
  const info = await Deno.lstat(path).catch(() => null);
  return info === null ? "absent" : `${info.mtime?.getTime()}:${info.size}:${info.ino}`;
}

async function readSmall(path: string): Promise<string | undefined> {
  try {
    const info = await Deno.lstat(path);
    if (!info.isFile || info.size > MAX_BUILD_BYTES) return undefined;
    return decodeText(await Deno.readFile(path)) ?? undefined;
  } catch {
    return undefined;
  }
}
