/** The coverage that a run writes, on the disk: what is taken, whose file is meant, and what is left alone. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../../src/base/clock.ts";
import { runWithReport } from "../../../../src/evidence/runs/run_command.ts";
import { createRunCover } from "../../../../src/features/runs/lines/cover_run.ts";
import { FileNames } from "../../../../src/features/runs/lines/coverage_places.ts";

async function makeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(root, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  return root;
}

/** Runs `run` in the folder, and says what is known of the files. */
async function cover(
  worktree: string,
  run: readonly string[],
  options: { readonly files?: readonly string[]; readonly declared?: readonly string[] } = {},
) {
  const { files = ["src/a.js"], declared = [] } = options;
  const command = { name: "test", run, paths: null, writes: [], timeoutMs: 60_000 };
  const request = { worktree, project: "", files, declared, asksNode: ["test"] };
  const stateDir = await Deno.makeTempDir();
  const place = { checkout: null, worktree, stateDir };
  return await runWithReport(command, {
    place,
    coverage: createRunCover(request),
    cwd: worktree,
    clock: SYSTEM_CLOCK,
  });
}

Deno.test("Node counts lines without any set-up, and its folder is gone afterwards", async () => {
  const root = await makeFolder({
    "src/a.js":
      "exports.half = (a) => {\n  if (a < 0) {\n    return 0;\n  }\n  return a / 2;\n};\n",
    "src/b.js": "exports.b = 1;\n",
    "test.js":
      'if (require("./src/a.js").half(4) !== 2) process.exit(1);\nconsole.log(process.env.NODE_V8_COVERAGE);\n',
  });
  const result = await cover(root, ["node", "test.js"], { files: ["src/a.js", "src/b.js"] });
  equal(result.exitCode, 0, result.outputTail);
  deepEqual(result.coverage, {
    read: ["NODE_V8_COVERAGE (V8)"],
    notes: [],
    isWhole: true,
    files: { "src/a.js": { ran: "1-2 5-6", notRun: "3-4" } },
  });
  deepEqual(result.set?.at(-1), "NODE_V8_COVERAGE=…");
  equal(result.outputTail.trim(), "…/node");
});

const LCOV = "SF:src/a.js\nDA:1,1\nDA:2,0\nend_of_record\n";

Deno.test("what the run wrote is read where it lies usually or as declared; what was there before is not", async () => {
  const root = await makeFolder({
    "src/a.js": "a\n",
    "lcov.info": LCOV,
    "packages/p/src/a.js": "a\n",
    "secret.info": LCOV,
  });
  const write = (path: string) =>
    `mkdir -p "$(dirname ${path})"; printf '${LCOV.replaceAll("\n", "\\n")}' > ${path};`;
  const run = async (script: string, declared: readonly string[] = []) =>
    (await cover(root, ["sh", "-c", script], { declared })).coverage;
  equal(await run("true"), undefined);
  const usual = await run(write("coverage/lcov.info"));
  deepEqual(usual?.files, { "src/a.js": { ran: "1", notRun: "2" } });
  deepEqual((await run(write("out/all.lcov"), ["out"]))?.read, ["out/all.lcov (LCOV)"]);
  // The name may mean the file of the package or that of the project: it means neither.
  const both = await cover(root, ["sh", "-c", write("packages/p/coverage/lcov.info")], {
    files: ["packages/p/src/a.js", "src/a.js"],
  });
  deepEqual([both.coverage?.read.length, both.coverage?.files], [1, {}]);
  const outside = await makeFolder({ "lcov.info": LCOV });
  const linked = await run(`rm -r coverage; ln -s ${outside} coverage`);
  equal(linked?.isWhole, false);
  match(`${linked?.notes}`, /^coverage\/lcov\.info was not read: it is a symbolic link/);
  const piped = await run("rm coverage; mkdir coverage; mkfifo coverage/lcov.info");
  match(`${piped?.notes}`, /^coverage\/lcov\.info was not read: it is a pipe/);
});

Deno.test("FileNames finds the file that a name means, and none outside", async () => {
  const root = await makeFolder({
    "go.mod": "module example.com/top\n",
    "a/b.go": "",
    "inner/go.mod": "// A module of its own.\nmodule example.com/inner\n",
    "inner/c/d.go": "",
    "src/x.py": "",
  });
  const names = new FileNames({ root, project: "" }, ["a/b.go", "inner/c/d.go", "src/x.py"]);
  const rows: readonly (readonly [string, string, readonly string[], string | null])[] = [
    ["example.com/top/a/b.go", "", [], "a/b.go"],
    ["example.com/inner/c/d.go", "", [], "inner/c/d.go"],
    ["example.com/other/c/d.go", "", [], null],
    [`${root}/src/x.py`, "", [], "src/x.py"],
    [`file://${root}/src/x.py`, "", [], "src/x.py"],
    ["x.py", "", [`${root}/src`], "src/x.py"],
    ["x.py", "", [], null],
    ["x.py", "src/reports", [], "src/x.py"],
    ["../../etc/x.py", "", [], null],
    ["/etc/x.py", "", [], null],
  ];
  for (const [name, from, sources, expected] of rows) {
    equal(names.fromReport(name, { from, sources }), expected, name);
  }
});
