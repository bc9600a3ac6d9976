/** Reads the build files of a project once for each state of them, and keeps the map of its modules. */
import { join } from "node:path";
import { readStampText } from "../../base/files/file_stamp.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { LookedFiles } from "../../index/index_api.ts";
import { isBuildFile, readBuildFacts } from "./build_files.ts";
import type { ModuleMap } from "./module_map.ts";
import { createModuleMap } from "./module_map.ts";

const MAX_BUILD_FILES = 400;

/** The module map of one project; it is made anew when the list of files or a build file changed. */
export class ProjectModules {
  readonly #root: string;
  #made:
    | {
      readonly list: readonly string[];
      readonly files: readonly string[];
      readonly stamp: string;
      /** That of the index, where it holds every build file; else null. */
      readonly version: number | null;
      readonly map: ModuleMap;
    }
    | null = null;

  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /**
   * The map for a list of files.
   *
   * @param looked what a look at them has just found, where there was one: the files that it speaks for are not looked at
   *   once more.
   */
  load(list: readonly string[], looked: LookedFiles | null = null): ModuleMap {
    const made = this.#made;
    const seen = looked?.version ?? null;
    if (seen !== null && made?.version === seen && made.list === list) return made.map;
    const files = made?.list === list
      ? made.files
      : list.filter(isBuildFile).slice(0, MAX_BUILD_FILES);
    const version = files.every((path) => looked?.holds(path) === true) ? seen : null;
    const stamp = files.map((path) => readStampText(join(this.#root, path))).join("\n");
    if (made?.stamp === stamp && isSame(made.list, list)) {
      // The next question comes with the same array.
      this.#made = { ...made, list, version };
      return made.map;
    }
    const texts = new Map<string, string>();
    for (const path of files) {
      const text = readSmall(this.#root, path);
      if (text !== undefined) texts.set(path, text);
    }
    const map = createModuleMap(list, readBuildFacts(texts));
    this.#made = { list, files, stamp, version, map };
    return map;
  }

  /** The same for files that no folder has; made anew for each version. */
  async loadStored(
    list: readonly string[],
    looked: LookedFiles | null,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<ModuleMap> {
    const version = looked?.version ?? null;
    const made = this.#made;
    if (version !== null && made?.version === version) return made.map;
    const files = list.filter(isBuildFile).slice(0, MAX_BUILD_FILES);
    const texts = new Map<string, string>();
    // Asked for at once, so that a store is asked once.
    const found = await Promise.all(files.map(read));
    files.forEach((path, at) => {
      const text = found[at];
      if (text !== undefined) texts.set(path, text);
    });
    const map = createModuleMap(list, readBuildFacts(texts));
    this.#made = { list, files, stamp: "", version, map };
    return map;
  }
}

/** A list that was read again is mostly the same one; where it is not, it mostly says the same. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || a.length === b.length && a.every((path, at) => path === b[at]);
}

function readSmall(root: string, path: string): string | undefined {
  return readControlTextIfUsable(join(root, path), "manifest", { within: root });
}
