/** Reads the build files of a project once for each state of them, and keeps the map of its modules. */
import { join } from "node:path";
import { readStampText } from "../../base/files/file_stamp.ts";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import type { ListedFiles } from "../../index/index_api.ts";
import { isBuildFile, readBuildFacts } from "./build_files.ts";
import type { ModuleMap } from "./module_map.ts";
import { createModuleMap } from "./module_map.ts";

const MAX_BUILD_FILES = 400;

/** A map with what it was made from. */
interface Made {
  readonly list: readonly string[];
  readonly files: readonly string[];
  readonly stamp: string;
  /** That of the index, where it holds every build file; else null. */
  readonly version: number | null;
  readonly map: ModuleMap;
}

/** The module map of one project; it is made again when the list of files or a build file changed. */
export class ProjectModules {
  readonly #root: string;
  #made: Made | null = null;

  constructor(projectRoot: string) {
    this.#root = projectRoot;
  }

  /**
   * The map for a list of files.
   *
   * @param looked what a look at them has just found, where there was one: the files that it speaks for are not looked at
   *   once more.
   */
  load(list: readonly string[], looked: ListedFiles | null = null): ModuleMap {
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
    const texts = files.map((path) => readSmall(this.#root, path));
    return this.#make({ list, files, stamp, version }, texts);
  }

  /** The same for files that no folder has; made again for each version. */
  async loadStored(
    list: readonly string[],
    looked: ListedFiles | null,
    read: (path: string) => Promise<string | undefined>,
  ): Promise<ModuleMap> {
    const version = looked?.version ?? null;
    const made = this.#made;
    if (version !== null && made?.version === version) return made.map;
    const files = list.filter(isBuildFile).slice(0, MAX_BUILD_FILES);
    // Asked for at once, so that a store is asked once.
    const texts = await Promise.all(files.map(read));
    return this.#make({ list, files, stamp: "", version }, texts);
  }

  #make(state: Omit<Made, "map">, texts: readonly (string | undefined)[]): ModuleMap {
    const read = state.files.flatMap((path, at): [string, string][] => {
      const text = texts[at];
      return text === undefined ? [] : [[path, text]];
    });
    const map = createModuleMap(state.list, readBuildFacts(new Map(read)));
    this.#made = { ...state, map };
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
