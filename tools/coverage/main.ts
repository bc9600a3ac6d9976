/**
 * Which lines of `src` the tests run, quick and slow ones: `deno task coverage [TESTS…]`. Programs that the tests start count
 * too. Prints the sum of each folder and each file under 80 %; over the whole suite it ends with 1 where such a
 * file has no reason in `reasons.ts`, or a reason has become needless. A thread or a process that is killed tells nothing.
 */
import { relative, resolve } from "node:path";
import type { FileLines } from "./lines.ts";
import { REASONS, toFileLines, toShare, toVerdict } from "./lines.ts";
import { toGroups, toSlowGroups } from "../quick_tests/groups.ts";
import { listTests, QUICK, SLOW, withGroups } from "../quick_tests/run.ts";
import { withTempOfRun } from "../quick_tests/temp_of_run.ts";
import { expectPaths, print as say, REPOSITORY } from "../task.ts";

const MARK = 0.8;

await expectPaths(
  "deno task coverage [PATHS...]",
  Deno.args.map((path) => resolve(REPOSITORY, path)),
);
const folder = await Deno.makeTempDir({ prefix: "code-intel-coverage-" });
let isGood = false;
try {
  isGood = await measure(folder, Deno.args);
} finally {
  await Deno.remove(folder, { recursive: true });
}
Deno.exit(isGood ? 0 : 1);

async function measure(dir: string, tests: readonly string[]): Promise<boolean> {
  const isWhole = tests.length === 0;
  const paths = isWhole ? ["tests"] : tests;
  const groups = [
    ...toSlowGroups(await listTests(REPOSITORY, paths, SLOW)),
    ...toGroups(await listTests(REPOSITORY, paths, QUICK)),
  ];
  const tested = await withGroups(
    REPOSITORY,
    groups,
    (modules) => withTempOfRun((env) => runTests(dir, modules, env)),
  );
  const { success } = tested;
  if (!success) say(new TextDecoder().decode(tested.stdout));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["coverage", "--lcov", `--include=^file://${REPOSITORY}src/`, dir],
    cwd: REPOSITORY,
  }).output();
  const rows = toFileLines(new TextDecoder().decode(stdout))
    .map((file) => ({ ...file, path: relative(REPOSITORY, file.path) }));
  if (rows.length === 0) throw new Error(new TextDecoder().decode(stderr));
  print(rows);
  const { withoutReason, needless } = toVerdict(rows, MARK, REASONS);
  if (!isWhole) return success;
  for (const { path } of withoutReason) say(`no reason in tools/coverage/lines.ts: ${path}`);
  for (const path of needless) say(`needless in tools/coverage/lines.ts: ${path}`);
  return success && withoutReason.length + needless.length === 0;
}

function runTests(
  dir: string,
  modules: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Deno.CommandOutput> {
  return new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "-P=test", "--parallel", `--coverage=${dir}`, ...modules],
    cwd: REPOSITORY,
    // The programs that the tests start write theirs beside.
    env: { ...env, DENO_COVERAGE_DIR: dir, NO_COLOR: "1" },
  }).output();
}

function print(files: readonly FileLines[]): void {
  const folders = Map.groupBy(files, ({ path }) => path.split("/").slice(0, 2).join("/"));
  for (const [name, members] of [...folders].sort()) say(toRow(name, sum(members)));
  say(toRow("src", sum(files)));
  say(`\nunder ${MARK * 100} %:`);
  for (const file of files.filter((one) => toShare(one) < MARK)) {
    say(`${toRow(file.path, file)}  ${REASONS[file.path] ?? ""}`);
  }
}

function sum(files: readonly FileLines[]): Pick<FileLines, "found" | "hit"> {
  return files.reduce(
    (all, { found, hit }) => ({ found: all.found + found, hit: all.hit + hit }),
    { found: 0, hit: 0 },
  );
}

function toRow(name: string, lines: Pick<FileLines, "found" | "hit">): string {
  const share = `${(toShare(lines) * 100).toFixed(1)} %`;
  return `${name.padEnd(44)} ${String(lines.hit).padStart(6)} of ${
    String(lines.found).padStart(6)
  } lines ${share.padStart(8)}`;
}
