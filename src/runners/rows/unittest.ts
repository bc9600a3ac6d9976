/** Python's unittest, and Django's runner, which prints the same. Pure. */
import { folderOf } from "../../base/repo_path.ts";
import type { ReportFormat } from "../report.ts";
import { parseCount, Tally, valueOf } from "../report.ts";
import type { PackageFiles, Runner } from "../runner.ts";
import { option } from "../runner.ts";

/** The last run of the output. */
const readOutput: ReportFormat = (lines) => {
  const ran = lines.findLast((line) => /^Ran \d+ tests? in [\d.]+s/.test(line));
  if (ran === undefined) return null;
  const end = lines.findLast((line) => /^(?:OK|FAILED|NO TESTS RAN)\b/.test(line));
  const tally = new Tally("unittest");
  let unloaded = 0;
  lines.forEach((line, at) => {
    const failed = /^(?:FAIL|ERROR): (.+)$/.exec(line)?.[1];
    if (failed !== undefined && lines[at - 1]?.startsWith("=====")) {
      const isUnloaded = failed.includes("_FailedTest") || failed.startsWith("setUpClass");
      if (isUnloaded) unloaded++;
      const message = readMessage(lines, at);
      if (isUnloaded) tally.error(failed, message);
      else {
        const [, test = "", which = ""] = /^(\w+ \([^)]*\)) ([[(].*)$/.exec(failed) ?? [];
        if (which === "") tally.failNext(failed, message);
        else tally.failPart(test, which, message);
      }
    }
    const test = /^(\w+ \([\w.]+\))(?:.*)? \.\.\. (ok|skipped|expected failure)\b/.exec(line);
    if (test !== null) tally.note(test[2] ?? "", test[1] ?? "");
  });
  const skipped = valueOf(end, "skipped", "expected failures");
  const failed = valueOf(end, "failures", "errors", "unexpected successes") - unloaded -
    tally.readParts().more;
  const passed = Math.max(0, parseCount(/\d+/.exec(ran)?.[0]) - unloaded - failed - skipped);
  return tally.toReport({ passed, failed: Math.max(0, failed), skipped });
};

/** The last line of the traceback. */
function readMessage(lines: readonly string[], at: number): string {
  const ends = lines.findIndex((line, index) =>
    index > at + 2 && /^(?:={20,}|-{20,}|)$/.test(line)
  );
  return lines[(ends < 0 ? lines.length : ends) - 1] ?? "";
}

/** The Python of each virtual environment of a package, from the project's top, and then any. */
export function listPythons({ dir, texts }: PackageFiles): readonly string[] {
  const has = (...parts: readonly string[]) => Object.hasOwn(texts, parts.join("/"));
  const own = [".venv", "venv"].filter((name) => has(name, "pyvenv.cfg")).map((name) => {
    const program = has(name, "Scripts", "activate") ? "Scripts/python.exe" : "bin/python";
    return [...(dir === "" ? [] : [dir]), name, program].join("/");
  });
  return [...own, "python3"];
}

/**
 * The runner finds tests below one folder; where that is a package, it needs its top folder too. It looks for `test*.py`
 * unless it is told that the names end otherwise.
 */
function listWords(
  { dir, texts }: PackageFiles,
  tests: PackageFiles["tests"],
): readonly string[] {
  const folders = Map.groupBy(tests, ({ path }) => folderOf(path));
  const [largest, own] = [...folders].reduce((most, one) =>
    one[1].length > most[1].length ? one : most
  );
  const folder = findTop(largest, texts, [...folders.keys()]);
  const start = [dir, folder].filter((part) => part !== "").join("/");
  const isSuffix = own.every(({ path }) => /(?:^|\/)(?!test)[^/]*_test\.py$/.test(path));
  const isPackage = Object.hasOwn(texts, `${folder}/__init__.py`);
  return [
    ...["-m", "unittest", "discover", ...option("-s", start)],
    ...(isSuffix ? ["-p", "*_test.py"] : []),
    ...(isPackage ? ["-t", dir === "" ? "." : dir] : []),
  ];
}

/** The folder from which the runner reaches the tests beside the largest folder too: it goes into packages alone. */
function findTop(
  folder: string,
  texts: PackageFiles["texts"],
  folders: readonly string[],
): string {
  const parent = folderOf(folder);
  const isReached = parent !== "" && Object.hasOwn(texts, `${folder}/__init__.py`) &&
    folders.some((one) => one === parent || one.startsWith(`${parent}/`) && one !== folder);
  return isReached ? findTop(parent, texts, folders) : folder;
}

/** The row. */
export const UNITTEST: Runner = {
  name: "unittest",
  languages: ["Python"],
  programs: ["unittest"],
  onlyTests: true,
  isBuiltIn: true,
  // With `discover` files mean something else, and words are names of modules.
  files: {
    valued: /^-k$/,
    flags: /^(?:-[vqfbc]+|--(?:verbose|quiet|locals|failfast|catch|buffer))$/,
    refused: /^discover$/,
  },
  named: ["-v"],
  setup: {
    sources: ["tests/__init__.py", "test/__init__.py"],
    propose: (pack) => {
      const tests = pack.tests.filter(({ path, text }) =>
        path.endsWith(".py") && /\bunittest\b/.test(text)
      );
      if (tests.length === 0) return [];
      const words = listWords(pack, tests);
      const runs = listPythons(pack).map((python) => [python, ...words]);
      return [{ name: "unittest", runs, insteadOf: "pytest" }];
    },
  },
  watch: { tracer: "python", unit: "test" },
  reports: [readOutput],
  settings: { shadows: /(?:unittest|nose2?)(?:\.py|\/__init__\.py)/ },
  switches: /@unittest\.(?:skip\w*|expectedFailure)\b|\.skipTest\s*\(/,
  isBuildOf: ({ name }, path) => {
    const module = /^([\w.]+) \(unittest\.loader\._FailedTest/.exec(name)?.[1];
    const own = path.replace(/\.py$/, "").replaceAll("/", ".");
    return module !== undefined && (own === module || own.endsWith(`.${module}`));
  },
};
