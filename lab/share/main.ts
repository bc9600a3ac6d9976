/**
 * Measures what sharing costs and saves, by the real program on real repositories and on generated files: the first machine
 * from nothing and its push, a second clone with a home of its own that pulls, a commit of ten files, and a switch to a
 * branch on which one file in twenty differs.
 *
 * `deno task share [--docs] [--files N] REPOSITORY…`: prints a table, or writes it into `docs/sharing.md`.
 */
import { basename, join } from "node:path";
import { runGit } from "../../tools/demo/sample_project.ts";
import { toProgram } from "../../tools/demo/server.ts";
import { endWrongUse, expectPaths, parseWords } from "../../tools/task.ts";
import { computeSum, toTable } from "../harness/figures.ts";
import { print, REPOSITORY, withFolder } from "../harness/run.ts";
import { commitAll, writeSamples } from "../harness/sample_code.ts";

const PAGE = join(REPOSITORY, "docs/sharing.md");
const HEADING = "## What it costs and saves\n\n";
const COMMIT_FILES = 10;
const SWITCHED_EVERY = 20;

/** What a command took. */
interface Cost {
  readonly seconds: number;
  /** Seconds of all processors together. */
  readonly processorSeconds: number;
}

/** A command that ended, with its JSON. */
interface Ran extends Cost {
  readonly reply: Readonly<Record<string, unknown>>;
}

function add(one: Cost, other: Cost): Cost {
  return {
    seconds: one.seconds + other.seconds,
    processorSeconds: one.processorSeconds + other.processorSeconds,
  };
}

/** Runs the program as a person does, under a clock that knows its processes too. */
async function run(words: string, cwd: string): Promise<Ran> {
  const program = toProgram().map((word) => `"${word}"`).join(" ");
  const script = `TIMEFORMAT='%R %U %S'; time ${program} ${words} --json`;
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", script],
    cwd,
    env: { CODE_INTEL_STATE_DIR: join(cwd, ".git/home") },
  }).output();
  const said = new TextDecoder().decode(stderr);
  if (code !== 0) throw new Error(`${words}: ${said}`);
  const [seconds = 0, user = 0, system = 0] = said.trim().split("\n").at(-1)?.split(" ")
    .map(Number) ?? [];
  const reply = JSON.parse(new TextDecoder().decode(stdout));
  return { reply, seconds, processorSeconds: user + system };
}

/** Measures one project in a new folder, which is removed afterwards: a row of the table. */
async function measure(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<readonly string[]> {
  return await withFolder(undefined, async (dir) => {
    const [first, second, remote] = [join(dir, "first"), join(dir, "second"), join(dir, "remote")];
    await make(first);
    await runGit(dir, ["init", "--quiet", "--bare", remote]);
    await runGit(dir, ["clone", "--quiet", first, second]);
    for (const one of [first, second]) await runGit(one, ["remote", "add", "team", remote]);
    const cold = await run("index", first);
    const push = await run("share push team", first);
    const pull = await run("share pull team", second);
    const index = await run("index", second);
    const paths = (await runGit(first, ["ls-files", "-z"])).split("\0")
      .filter((path) => path !== "");
    const changed = paths.filter((one) => /\.\w+$/.test(one));
    await changeFiles(first, changed.slice(0, COMMIT_FILES));
    const commit = await run("share push team", first);
    const others = changed.slice(COMMIT_FILES).filter((_, at) => at % SWITCHED_EVERY === 0);
    await changeFiles(first, others);
    await changeFiles(second, others);
    const switched = await run("index", first);
    await run("share push team", first);
    const pulled = add(await run("share pull team", second), await run("index", second));
    const sizes = await Promise.all(
      paths.map((path) => Deno.lstat(join(second, path)).then(({ size }) => size, () => 0)),
    );
    const sourceBytes = computeSum(sizes, (size) => size);
    const [files, packBytes] = [Number(cold.reply["files"]), Number(push.reply["size_bytes"])];
    const taken = Number(index.reply["taken"] ?? 0);
    return [
      name,
      `${files.toLocaleString("en")}, ${toMegabytes(sourceBytes)}`,
      toText(cold),
      toText(push),
      `${toMegabytes(packBytes)}, ${(packBytes / sourceBytes).toFixed(2)}`,
      `${toText(add(pull, index))}, ${(100 * taken / files).toFixed(0)} %`,
      toText(pull),
      `${(Number(commit.reply["sent_bytes"]) / 1024).toFixed(0)} KB`,
      `${toText(switched)} / ${toText(pulled)}`,
    ];
  });
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes > 1e7 ? 0 : 2)} MB`;
}

function toText({ seconds, processorSeconds }: Cost): string {
  return `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)})`;
}

/** Another content in every language. */
async function changeFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await Deno.writeTextFile(join(folder, path), "\n", { append: true });
  await commitAll(folder);
}

async function makeGenerated(folder: string, files: number): Promise<void> {
  await writeSamples(folder, files);
  await commitAll(folder);
}

const HEAD = [
  "project",
  "files, source",
  "`index` from nothing",
  "`share push`",
  "packs, by source",
  "ready on a second machine, taken",
  "of which `share pull`",
  "push after a commit of ten files",
  "5 % of the files differ: analysed / pulled",
];

const USAGE = "deno task share [--docs] [--files N,M] REPOSITORY...";
const { values, positionals: repositories } = parseWords(USAGE, {
  allowPositionals: true,
  options: { docs: { type: "boolean" }, files: { type: "string" } },
});
const counts = values.files?.split(",").map(Number) ?? [];
if (repositories.length + counts.length === 0) endWrongUse("Name a repository", USAGE);
if (!counts.every((count) => count > 0)) endWrongUse("--files takes numbers of files", USAGE);
await expectPaths(USAGE, repositories.filter((one) => !/^\w[\w+.-]*:|@/.test(one)));
const rows: (readonly string[])[] = [];
const addRow = async (name: string, make: (folder: string) => Promise<unknown>) => {
  rows.push(await measure(name, make));
  print(rows.at(-1)?.join(" | ") ?? "");
};
for (const repository of repositories) {
  const clone = (folder: string) => runGit(REPOSITORY, ["clone", "--quiet", repository, folder]);
  await addRow(basename(repository.replace(/\/repo$/, "")), clone);
}
for (const count of counts) {
  const name = `${count.toLocaleString("en")} generated files`;
  await addRow(name, (folder) => makeGenerated(folder, count));
}
const table = toTable(HEAD, rows);
print(table);
if (values.docs === true) {
  const page = await Deno.readTextFile(PAGE);
  const [before = "", after = ""] = page.split(HEADING);
  const rest = after.replace(/^(?:\|.*\n)*\n?/, "");
  await Deno.writeTextFile(PAGE, `${before}${HEADING}${table}\n\n${rest}`);
}
