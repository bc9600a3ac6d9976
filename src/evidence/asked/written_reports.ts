/**
 * Reads the reports that builds of Java, Kotlin, Groovy and Scala write by themselves: Maven's surefire and failsafe,
 * and Gradle, which prints nothing of tests that pass. Only what the run itself wrote is read.
 */
import { join } from "node:path";
import { readStampText } from "../../base/files/file_stamp.ts";
import { readRegularText } from "../../base/files/regular_file.ts";
import { addJvmNames } from "../runs/report/jvm_junit.ts";
import type { TestReport } from "../runs/report/report.ts";

/** Reports that a run may write. */
export interface WrittenReports {
  /** What was printed, with what the reports add; as printed where the run wrote none. */
  add(printed: TestReport | null): TestReport | null;
}

const BUILDS: readonly { readonly runner: "maven" | "gradle"; readonly word: RegExp }[] = [
  { runner: "maven", word: /(?:^|[\s;&|/\\])(?:mvnw?|mvnd)(?:\.(?:cmd|bat|exe))?(?:\s|$)/ },
  { runner: "gradle", word: /(?:^|[\s;&|/\\])gradlew?(?:\.(?:cmd|bat|exe))?(?:\s|$)/ },
];
/** Where the reports of a module are, in its folder. */
const FOLDERS = {
  maven: [["target", "surefire-reports"], ["target", "failsafe-reports"]],
  gradle: [["build", "test-results"]],
} as const;
/** Folders that hold no modules. */
const OTHERS = /^(?:\..*|src|target|build|node_modules|docs?)$/;
// Bounds of what is looked at (guessed): large builds have some hundred modules and some thousand classes of tests.
const MOST_DEPTH = 4;
const MOST_FOLDERS = 2_000;
const MOST_FILES = 5_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_ALL_BYTES = 128 * 1024 * 1024;

/** Takes note of the reports that are there before a run; null for commands that write none. */
export function watchWrittenReports(run: readonly string[], cwd: string): WrittenReports | null {
  const runner = BUILDS.find(({ word }) => run.some((one) => word.test(one)))?.runner;
  if (runner === undefined) return null;
  const list = () => listReports(cwd, runner);
  const before = new Map(list().map((path) => [path, readStampText(join(cwd, path))]));
  return {
    add(printed) {
      const texts: string[] = [];
      let leftBytes = MAX_ALL_BYTES;
      for (const path of list()) {
        const stamp = readStampText(join(cwd, path));
        if (stamp === null || stamp === before.get(path)) continue;
        const text = readRegularText(join(cwd, path), { within: cwd, maxBytes: MAX_FILE_BYTES });
        leftBytes -= text?.length ?? 0;
        // Of a part of the reports nobody knows which tests are not among them.
        if (text === undefined || leftBytes < 0) return printed;
        texts.push(text);
      }
      return texts.length === 0 ? printed : addJvmNames(printed, texts, runner);
    },
  };
}

/** The reports of all modules, relative to the folder. */
function listReports(cwd: string, runner: keyof typeof FOLDERS): readonly string[] {
  const found: string[] = [];
  let modules = [""];
  for (let depth = 0; depth <= MOST_DEPTH && modules.length <= MOST_FOLDERS; depth++) {
    const next: string[] = [];
    for (const module of modules) {
      for (const { name, isDirectory } of listFolder(join(cwd, module))) {
        if (isDirectory && !OTHERS.test(name)) next.push(join(module, name));
      }
      for (const parts of FOLDERS[runner]) {
        const folder = join(module, ...parts);
        for (const { name, isDirectory } of listFolder(join(cwd, folder))) {
          const inner = isDirectory ? listFolder(join(cwd, folder, name)) : [];
          if (!isDirectory) found.push(join(folder, name));
          found.push(...inner.map((entry) => join(folder, name, entry.name)));
        }
      }
    }
    modules = next;
  }
  return found.filter((path) => /[\\/]TEST-[^\\/]*\.xml$/.test(path)).slice(0, MOST_FILES).sort();
}

function listFolder(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return []; // Most modules have no such folder.
  }
}
