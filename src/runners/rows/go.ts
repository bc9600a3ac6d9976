/** `go test`, with `-json`, `-v` and without. Pure. */
import { folderOf } from "../../base/repo_path.ts";
import type { Failure, ReportFormat } from "../report.ts";
import { nextLine, Tally } from "../report.ts";
import type { Runner, TestNames } from "../runner.ts";
import { foldersOf, option, proposeFor, quotePath } from "../runner.ts";

interface GoEvent {
  readonly Action?: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly FailedBuild?: string;
}

/** Each test by package and name; a package that failed without a failed test is an error. */
const readJson: ReportFormat = (lines) => {
  const events = lines.flatMap(parseEvent);
  if (!events.some(({ Action, Package }) => Action === "start" || Package !== undefined)) {
    return null;
  }
  const tally = new Tally("go test");
  const messages = new Map<string, string>();
  const failed = new Set<string>();
  const panicked = new Set<string>();
  for (const event of events) {
    const { Action: action, Package: pack = event.ImportPath ?? "", Test: test, Output = "" } =
      event;
    const key = test === undefined ? pack : `${pack}.${test}`;
    const isSaid = /^\s+\S+\.go:\d+:|^panic:|^\S+\.go:\d+:\d+:/.test(Output);
    if (isSaid && !messages.has(key)) messages.set(key, Output.trim());
    if (Output.startsWith("panic: ")) panicked.add(pack);
    if (test === undefined) {
      if (action === "fail" && panicked.has(pack)) tally.cut(`${pack} (panic)`);
      if (action !== "fail" || failed.has(pack)) continue;
      tally.error(pack, messages.get(event.FailedBuild ?? pack) ?? "");
    } else if (action === "pass" || action === "skip" || action === "fail") {
      if (action === "fail") failed.add(pack);
      tally.note(action, key, messages.get(key));
    }
  }
  return tally.toReport();
};

function parseEvent(line: string): readonly GoEvent[] {
  if (!line.startsWith("{") || !line.includes('"Action"')) return [];
  try {
    return [JSON.parse(line) as GoEvent];
  } catch {
    return [];
  }
}

/** Failed tests are named by package; without `-v` packages are counted, since nothing says how many tests passed. */
const readText: ReportFormat = (lines) => {
  const isGo = lines.some((line) => /^(?:ok {2}|FAIL|\? {3})\t\S+(?:\t|$| \[)/.test(line));
  if (!isGo) return null;
  const tally = new Tally("go test");
  const isVerbose = lines.some((line) => /^\s*--- (?:PASS|SKIP): /.test(line));
  // The package of a test is named behind its tests.
  let tests: { readonly how: string; readonly name: string; readonly line: string }[] = [];
  let hasPanic = false;
  const packages = { passed: 0, failed: 0, skipped: 0 };
  lines.forEach((line, at) => {
    const test = /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line);
    if (test !== null) {
      const [, how = "", name = ""] = test;
      tests.push({ how, name, line: how === "FAIL" ? readMessage(lines, at, isVerbose) : "" });
      return;
    }
    hasPanic ||= line.startsWith("panic: ");
    const pack = /^(ok {2}|FAIL)\t(\S+)(.*)$/.exec(line);
    if (pack === null) return;
    const [, how = "", name = "", rest = ""] = pack;
    const isEmpty = rest.includes("[no tests to run]");
    if (how !== "FAIL") packages[isEmpty ? "skipped" : "passed"]++;
    else if (!tests.some((one) => one.how === "FAIL")) {
      tally.error(name, readBuildMessage(lines, name));
    } else packages.failed++;
    for (const { how, name: test, line: message } of tests) {
      tally.note(how, `${name}.${test}`, message);
    }
    if (how === "FAIL" && hasPanic) tally.cut(`${name} (panic)`);
    hasPanic = false;
    tests = [];
  });
  return isVerbose ? tally.toReport() : tally.toReport(packages, "packages");
};

const SAID = /^\s+\S+\.go:\d+:|^panic: /;
/** Lines of one message of a library for assertions, which begins with an empty line behind its place. */
const MOST_LINES = 30;

/** The message stands below the result, or with `-v` above it. */
function readMessage(lines: readonly string[], at: number, isVerbose: boolean): string {
  const isOther = (line: string) =>
    /^\s*(?:--- (?:PASS|FAIL|SKIP):|=== [A-Z]+ )|^(?:FAIL|ok {2})\b/.test(line);
  const above = lines.slice(Math.max(0, at - MOST_LINES), at);
  const below = lines.slice(at + 1, at + 1 + MOST_LINES);
  const end = below.findIndex(isOther);
  const part = isVerbose
    ? above.slice(above.findLastIndex(isOther) + 1)
    : end < 0
    ? below
    : below.slice(0, end);
  const said = part.findIndex((line) => SAID.test(line));
  const near = isVerbose ? part.at(-1) ?? "" : part[0] ?? "";
  if (SAID.test(near) && !/:\s*$/.test(near)) return near;
  if (said < 0) return "";
  const rest = part.slice(said + 1).flatMap((line) =>
    /^\s+(?:Error:\s+(\S.*)|((?:expected|actual)\s*: .*))$/.exec(line)?.slice(1) ?? []
  );
  const what = rest.flatMap((text) => text === undefined ? [] : [text.trim()]).slice(0, 3);
  return [part[said]?.trimEnd() ?? "", ...what].join(" ");
}

function readBuildMessage(lines: readonly string[], name: string): string {
  const at = lines.findIndex((line) => line.startsWith(`# ${name}`));
  return at < 0 ? lines.find((line) => line.startsWith("panic: ")) ?? "" : nextLine(lines, at);
}

/** The tests of a run that broke, by name, as `-skip` takes them. */
function skipFailed(
  run: readonly string[],
  failures: readonly Failure[],
): readonly string[] | null {
  const at = run.findIndex((word, index) =>
    word === "test" && /(?:^|\/)go$/.test(run[index - 1] ?? "")
  );
  const names = new Set(
    failures.flatMap(({ name }) =>
      /\.((?:Test|Example|Fuzz)[^./]*)(?:\/.*)?$/.exec(name)?.[1] ?? []
    ),
  );
  if (at < 1 || names.size === 0) return null;
  return [...run.slice(0, at + 1), "-skip", `^(${[...names].join("|")})$`, ...run.slice(at + 1)];
}

/** How a test of Go is named, a part of one too: `example.com/a.TestAll/empty`. */
const TEST_NAME = /\.(?:Test|Fuzz|Example|Benchmark)\w*(?:\/|$)/;

/**
 * Whether a package that could not be built is the package of a test. Its name or the file that its
 * error names decides.
 */
function isBuildOf({ name, line }: Failure, path: string): boolean {
  if (!path.endsWith("_test.go")) return false;
  const folder = folderOf(path);
  if (folder !== "" && (name === folder || name.endsWith(`/${folder}`))) return true;
  const file = /^(?:vet: )?(?:\.\/)?([^\s:]+\.go):\d+/.exec(line)?.[1];
  return file !== undefined && folderOf(file) === folder && !TEST_NAME.test(name);
}

/** More names are a whole package. */
const MOST_NAMES = 50;

/** Tests by their names where each file has some, in the folders of their files in place of all. */
function narrowToNames(run: readonly string[], tests: TestNames): readonly string[] | null {
  const isOther = run.some((word) => /^--?(?:C|run|skip|list|args|c|exec|fuzz)(?:=|$)/.test(word));
  const isPlain = run[0]?.endsWith("go") === true && run[1] === "test" && run.includes("./...");
  if (isOther || !isPlain) return null;
  const named = [...tests.values()].map((names) =>
    names.flatMap((name) => /^((?:Test|Example|Fuzz)\w*)(?:\/|$)/.exec(name)?.[1] ?? [])
  );
  const names = [...new Set(named.flat())];
  const isNamed = named.every(({ length }) => length > 0) && names.length <= MOST_NAMES;
  const folders = foldersOf([...tests.keys()]).map((folder) => `./${folder}`);
  const words = isNamed ? ["-run", `^(${names.join("|")})$`, ...folders] : folders;
  return run.flatMap((word) => word === "./..." ? words : [word]);
}

/** The row. */
export const GO: Runner = {
  name: "go test",
  languages: ["Go"],
  programs: ["go"],
  reordered: ["-shuffle=1"],
  guess: {
    command: (files, _tools, names) => {
      const tests = new Map(files.map((file) => [file, names.get(file) ?? []]));
      return (narrowToNames(["go", "test", "./..."], tests) ?? []).map(quotePath).join(" ");
    },
  },
  setup: proposeFor(["go.mod"], (dir) => ["go", ...option("-C", dir), "test", "./..."]),
  reports: [readJson, readText],
  asked: {
    variable: "GOFLAGS",
    unless: /(?:^|\s)--?(?:v|json)(?:=|\s|$)/,
    request: () => "-v",
    read: (printed) => printed,
  },
  coverage: { files: ["coverage.out", "coverage.txt", "cover.out", "c.out", "profile.cov"] },
  watch: { tracer: "go", unit: "test" },
  switches: /\b[tb]\.Skip(?:f|Now)?\s*\(/,
  variables: ["GOFLAGS", "GOTESTFLAGS"],
  withoutEnd: skipFailed,
  narrowToNames,
  isBuildOf,
};
