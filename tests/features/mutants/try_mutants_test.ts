/** The trial of mutants in a checkout: a real folder, and a command that looks into its files. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { RunMutants } from "../../../src/features/mutants/try_mutants.ts";
import { judgeMutant, tryMutants } from "../../../src/features/mutants/try_mutants.ts";
import type { CommandResult } from "../../../src/evidence/runs/run_command.ts";
import { toReport } from "../../evidence/runs/test_reports.ts";

const TEXT = "\ufeffexport const isLate = (n: number) =>\r\n  n >= 14 && n !== 99;\r\n";
const COMMAND = {
  name: "test",
  run: ["npm", "test"],
  timeoutMs: 100_000,
  writes: [],
  paths: null,
  isWhole: false,
};

/** A result of the command; `isRed` where the text in the checkout fits. */
function toResult(isRed: boolean, more: Partial<CommandResult> = {}): CommandResult {
  return {
    name: "test",
    run: ["npm", "test"],
    exitCode: isRed ? 1 : 0,
    startedAt: "",
    durationMs: 10,
    outputTail: isRed ? "it is red\n" : "",
    outputHash: "",
    outputBytes: 0,
    timedOut: false,
    cancelled: false,
    isStarted: true,
    failure: null,
    ...more,
  };
}

/** Tries the mutants of one file; `run` answers for the text that is in the checkout then. */
async function tryOn(
  run: (text: string) => CommandResult,
  more: { readonly request?: Partial<RunMutants>; readonly before?: CommandResult } = {},
) {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const file = join(root, "a.ts");
  await Deno.writeTextFile(file, TEXT);
  const seen: { readonly text: string; readonly ran: string; readonly second: number }[] = [];
  const request: RunMutants = {
    sources: [{ path: "a.ts", ranges: [{ start: 1, end: 3 }] }],
    toProject: (path) => `sub/${path}`,
    commands: [COMMAND],
    tests: ["a.test.ts"],
    narrow: (tests) => [{ ...COMMAND, run: ["npm", "test", ...tests] }],
    findSeen: () => Promise.resolve([]),
    seconds: 60,
    isGate: false,
    use: (action) => action({ root, cwd: root, worktree: "/w", lent: [], env: {} }),
    ...more.request,
  };
  try {
    const result = await tryMutants(request, {
      results: [more.before ?? toResult(false)],
      runAll: async (_, commands) => {
        const text = await Deno.readTextFile(file);
        const { mtime } = await Deno.stat(file);
        const ran = commands.map(({ run }) => run.slice(2).join(" ")).join(";");
        seen.push({ text, ran, second: Math.floor((mtime?.getTime() ?? 0) / 1000) });
        return [run(text)];
      },
      isEnded: () => false,
    });
    return { result, seen, left: await Deno.readTextFile(file) };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("each mutant runs alone, every version has a time of its own, and the file is as before", async () => {
  const { result, seen, left } = await tryOn((text) => toResult(!text.includes("n >= 14")));
  deepEqual(result, {
    total: 3,
    killed: 2,
    broken: 0,
    survivors: [
      { path: "sub/a.ts", line: 2, change: "nothing for `&& n !== 99`", isMet: false },
    ],
    tests: ["a.test.ts"],
    unknown: null,
  });
  equal(left, TEXT);
  deepEqual(seen.map(({ text }) => text), [
    TEXT,
    TEXT.replace(">=", ">"),
    TEXT.replace("n >= 14 && ", ""),
    TEXT.replace(" && n !== 99", ""),
    TEXT.replace(
      "n >= 14 && n !== 99",
      '((n >= 14) && ((n !== 99) || (() => { throw new Error("met"); })()))',
    ),
  ]);
  const seconds = seen.map(({ second }) => second);
  equal(new Set(seconds).size, seconds.length);
});

Deno.test("a moved bound that no test notices is asked for: whether a test meets it", async () => {
  const ask = async (isMet: boolean) => {
    const { result, seen } = await tryOn((text) =>
      toResult(text.includes("met") ? isMet : !/n >=? 14 && n/.test(text))
    );
    return [
      result?.survivors.map((one) => one.isMet),
      seen.filter(({ text }) =>
        text.includes("(n === 14 && (() => { throw") && text.includes("|| n >= 14) && n !== 99")
      ).length,
    ];
  };
  deepEqual(await ask(true), [[true], 1]);
  deepEqual(await ask(false), [[false], 1]);
});

Deno.test("beside tests that fail anyway only another failure notices a mutant", () => {
  const result = (failed: readonly string[], errors = 0) =>
    toResult(true, { report: { ...toReport({ failed, passed: ["other"] }), errors } });
  const clean = result(["old"]);
  equal(judgeMutant(clean, result(["old", "new"])), "killed");
  equal(judgeMutant(clean, result(["old"])), "survived");
  equal(judgeMutant(clean, result(["old"], 1)), "broken");
});

Deno.test("tests that fail, run nothing or are too slow without a mutant kill none", async () => {
  const none = { ...toReport({}), errors: 0 };
  const rows: readonly (readonly [Parameters<typeof tryOn>, why: RegExp, runs: number])[] = [
    [[() => toResult(true)], /^the tests fail without any change: test: .*\[it is red\]$/, 1],
    [[() => toResult(false, { report: none })], /^no test ran$/, 1],
    [[() => toResult(true, { timedOut: true })], /alone take longer than 60 s$/, 1],
    [
      [() => toResult(false), {
        request: { commands: [{ ...COMMAND, isWhole: true }] },
        before: toResult(false, { durationMs: 40_000 }),
      }],
      /^"test" runs all of its tests at once and takes 40 s: 60 s are not enough/,
      0,
    ],
    [
      [() => toResult(false), { request: { commands: [] } }],
      /^no command runs tests that are near/,
      0,
    ],
    [
      [() => toResult(false), { request: { use: (action) => action("the disk is full") } }],
      /^no clean checkout could be made: the disk is full$/,
      0,
    ],
    [
      [() => toResult(false, { durationMs: 1e6 }), { request: { isGate: true } }],
      /^the 60 s for it were over$/,
      1,
    ],
  ];
  for (const [input, why, runs] of rows) {
    const { result, seen } = await tryOn(...input);
    match(result?.unknown ?? "", why);
    equal(seen.length, runs, `${why}`);
    deepEqual([result?.killed, result?.survivors.length], [0, 0]);
    equal(result?.isGate, input[1]?.request?.isGate);
  }
});

Deno.test("what does not build is no kill, a time limit of its own is one, and no mutant no result", async () => {
  const clean = toResult(false, { report: toReport({ passed: ["a"] }) });
  const broken = await tryOn((text) => text === TEXT ? clean : toResult(true));
  deepEqual([broken.result?.broken, broken.result?.killed], [3, 0]);
  const slow = await tryOn((text) => toResult(text !== TEXT, { timedOut: text !== TEXT }));
  deepEqual([slow.result?.killed, slow.result?.unknown], [3, null]);
  const sources = [{ path: "a.ts", ranges: [{ start: 1, end: 1 }] }];
  equal((await tryOn(() => toResult(false), { request: { sources } })).result, null);
});

Deno.test("a wrong line runs against the tests that ran its function, and the clean run has all of them", async () => {
  const three = "export const a = (n: number) => n > 1;\n".repeat(3);
  const tryLines = async (of: Readonly<Record<number, readonly string[]>>) => {
    const root = await Deno.realPath(await Deno.makeTempDir());
    await Deno.writeTextFile(join(root, "b.ts"), three);
    const { result, seen } = await tryOn(() => toResult(false), {
      request: {
        sources: [{ path: "b.ts", ranges: [{ start: 1, end: 3 }] }],
        findSeen: (places) => Promise.resolve(places.map(({ line }) => of[line] ?? null)),
        use: (action) => action({ root, cwd: root, worktree: "/w", lent: [], env: {} }),
      },
    });
    await Deno.remove(root, { recursive: true });
    return [[...new Set(seen.map(({ ran }) => ran))].toSorted(), result?.tests];
  };
  // Line 3 is not recorded: it has the tests that are near, as before.
  deepEqual(await tryLines({ 1: ["one.test.ts"], 2: ["two.test.ts"] }), [
    ["a.test.ts two.test.ts one.test.ts", "one.test.ts", "two.test.ts"],
    ["a.test.ts", "two.test.ts", "one.test.ts"],
  ]);
  deepEqual(await tryLines({ 1: ["one.test.ts"], 2: ["one.test.ts"], 3: ["one.test.ts"] }), [
    ["one.test.ts"],
    ["one.test.ts"],
  ]);
  deepEqual(await tryLines({}), [[""], ["a.test.ts"]]);
});
