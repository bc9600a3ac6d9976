/** The command `tests`: the tests that reach a file, a line or a symbol, nearest first, and one command that runs them. */
import type { OkReply, RefusedReply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { clip } from "../../base/text/clip.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { printReply, withServices } from "../../cli/answer.ts";
import type { Command } from "../../cli/command.ts";
import type { ImpactFound } from "../../impact/analyze.ts";
import type { AffectedTests } from "../../impact/seen.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { formatExtent, formatRan } from "../../index/seen_runs.ts";
import { isCallable } from "../../language/kinds.ts";
import type { Services } from "../../services/services_api.ts";

/** What is asked about, as a person writes it. */
const TARGET = /^(?<path>.+?)(?::(?:(?<line>\d+)|(?<symbol>[^/\\]+)))?$/;
const MAX_LINE_CHARS = 160;
/** Files that a terminal shows; data has all. */
const MAX_LINES = 30;

/** Lists them. */
export const TESTS: Command = {
  usage: "FILE[:LINE|SYMBOL]",
  positionals: [1, 1],
  example: "code-intel tests src/cart.ts:42",
  options: [],
  async run(invocation) {
    const { positionals: [target = ""], signal } = invocation;
    const reply = await withServices(invocation, (services) => ask(services, target, signal));
    return await printReply("tests", reply, invocation, (shown) => formatTests(shown as Tests));
  },
};

interface Tests extends OkReply {
  readonly target: string;
  /** How far the records reach; absent where none tells of the target. */
  readonly runs?: string;
  readonly tests: readonly AffectedTests[];
  readonly command?: string;
  readonly notices: readonly string[];
}

async function ask(
  { explorer, impact, index }: Pick<Services, "explorer" | "impact" | "index">,
  target: string,
  signal: AbortSignal,
): Promise<Tests | RefusedReply> {
  const { path = target, line, symbol } = TARGET.exec(target)?.groups ?? {};
  const notices: string[] = [];
  const symbols = symbol === undefined ? [] : [symbol];
  if (line !== undefined) {
    const asked = { path, line: Number(line), contextLines: 0 };
    const found = await explorer.getFunctionAtLine(asked, { signal });
    if (found.kind === "refused") return buildRefusal(found.problems);
    const { name = "", scope } = found.definition ?? {};
    // A function without a name is run where the one that holds it is.
    const named = [scope, name.startsWith("(") ? undefined : name].filter(Boolean).join(".");
    if (named !== "") symbols.push(named);
    else notices.push("The line is in no named function: these are the tests of its file.");
  }
  const found = await impact.analyze({
    ...{ targetFiles: [path], symbols, isDiff: false, changeDescription: "", depth: 2 },
  }, { signal });
  if (found.kind === "refused") return buildRefusal(found.problems);
  const { seen, testProofs, testRun, targets, notices: more } = found;
  if (targets.length > 0 && targets.every(({ scope }) => scope === "new")) {
    return buildRefusal([{
      code: "path_not_found",
      message: `There is no file "${path}" in the index`,
      hint: more[0] ?? "Paths begin at the top of the project: `code-intel files` finds them.",
    }]);
  }
  const isNamed = ({ qualifiedName, kind }: SymbolHit) =>
    isCallable(kind) && symbols.includes(qualifiedName);
  const same = await index.read((view) => view.listSymbols(path).filter(isNamed).length);
  const shared = `It has ${same} definitions: records do not tell which of them a test ran.`;
  notices.push(...listLimits(found), ...same > 1 ? [shared] : [], ...found.notices);
  return {
    ok: true,
    target: [path, ...symbols].join(":"),
    ...(seen === null ? {} : { runs: formatExtent(seen.extent) }),
    ...(seen?.isComplete === true ? { complete: true } : {}),
    total: testProofs.length,
    tests: testProofs,
    ...(testRun === null ? {} : { command: testRun.command }),
    notices,
  };
}

/** What the list does not say. */
function listLimits({ seen, testProofs }: ImpactFound): readonly string[] {
  if (seen === null) {
    return testProofs.length === 0
      ? ["Runs tell of functions alone, and no link or name leads from it to a test."]
      : [
        "No recorded run tells of it: links and names lead to these tests. `code-intel runs record` records runs.",
      ];
  }
  const { tests, callerTests, isAtImport, run } = seen;
  const callers = " no record knows it as it is now. Those marked `caller` ran what calls it.";
  const none = `No recorded test ran it${callerTests.length > 0 ? `:${callers}` : "."}`;
  const nearest = `The command runs the nearest ${run} of ${testProofs.length} files.`;
  const listed = new Set(testProofs.map(({ file }) => file));
  const hidden = tests.find(({ file }) => !listed.has(file));
  return [
    ...isAtImport
      ? [AT_IMPORT]
      : tests.length === 0
      ? [none]
      : run < testProofs.length
      ? [nearest]
      : [],
    ...(hidden === undefined ? [] : [
      `Tests ran it that are not listed: git ignores ${hidden.file}, or it is gone.`,
    ]),
  ];
}

const AT_IMPORT =
  "Code of it ran while modules were loaded, in no test: any test that loads them may depend on it.";

/** The tests, what limits the list, and last the command alone on its line. */
function formatTests({ tests, runs, command, notices }: Tests): readonly string[] {
  const lines = tests.slice(0, MAX_LINES).map((row) => {
    const { file, proof, tests: count = 0, nearest = [], neighbours } = row;
    const more = count > nearest.length ? ", …" : "";
    const names = nearest.length === 0 ? "" : `: ${nearest.join(", ")}${more}`;
    const text = count === 0
      ? ""
      : `  ${neighbours ? formatRan("group", count) : formatCount(count, "test")}${names}`;
    return clip(`${proof.padEnd(8)}  ${file}${text}`, MAX_LINE_CHARS);
  });
  const left = tests.length - MAX_LINES;
  const more = left > 0 ? [`${formatCount(left, "more file")}: --json lists all`] : [];
  const none = tests.length === 0 ? ["nothing found"] : [];
  const notes = [...more, ...none, ...runs ? [runs] : [], ...notices];
  return [
    ...lines,
    ...notes.map((note) => `(${note})`),
    ...(command === undefined ? [] : [command]),
  ];
}
