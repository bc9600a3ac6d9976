/** Reads the build files of a project once for each state of them, and keeps the map of its modules. */
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { isBuildFile, readBuildFacts } from "./build_files.ts";
import type { ModuleMap } from "./module_map.ts";
import { createModuleMap } from "./module_map.ts";

const MAX_BUILD_FILES = 400;

/** The module map of one project; it is made anew when the list of files or a build file changed. */
export class ProjectModules {
  readonly #root: string;
  #made:
    | { readonly list: readonly string[]; readonly stamp: string; readonly map: ModuleMap }
    | null = null;

  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /** The map for a list of files. */
  load(list: readonly string[]): ModuleMap {
    const files = list.filter(isBuildFile).slice(0, MAX_BUILD_FILES);
    const stamp = files.map((path) => readStamp(join(this.#root, path))).join("\n");
    const made = this.#made;
    if (made?.stamp === stamp && isSame(made.list, list)) return made.map;
    const texts = new Map<string, string>();
    for (const path of files) {
      const text = readSmall(this.#root, path);
      if (text !== undefined) texts.set(path, text);
    }
    const map = createModuleMap(list, readBuildFacts(texts));
    this.#made = { list, stamp, map };
    return map;
  }
}

/** A list that was read again is mostly the same one; where it is not, it mostly says the same. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || a.length === b.length && a.every((path, at) => path === b[at]);
}

/** Synchronous: each question that follows names asks it, and waiting for another thread takes longer than looking. */
function readStamp(path: string): string {
  try {
    const { mtime, ctime, size, ino } = Deno.lstatSync(path);
    return `${mtime?.getTime()}:${ctime?.getTime()}:${size}:${ino}`;
  } catch {
    return "absent";
  }
}

function readSmall(root: string, path: string): string | undefined {
  return readControlTextIfUsable(join(root, path), "manifest", { within: root });
}
