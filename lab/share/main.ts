/**
 * Measures what sharing costs and saves, by the real program on real repositories and on generated files: the first machine
 * from nothing and its push, a second clone with a home of its own that pulls, a commit of ten files, and a switch to a
 * branch on which one file in twenty differs.
 *
 * `deno task share [--docs] [--files N] REPOSITORY…`: prints a table, or writes it into `docs/sharing.md`.
 */
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../tools/measure.ts";
import { makeSampleFile } from "../bench/sample_code.ts";
import { endWrongUse, expectPaths } from "../../tools/task.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = join(ROOT, "docs/sharing.md");
const HEADING = "## What it costs and saves\n\n";
const COMMIT_FILES = 10;
const SWITCHED_EVERY = 20;

/** One row of the table. */
interface ShareFigures {
  readonly name: string;
  readonly files: number;
  readonly sourceBytes: number;
  readonly cold: Cost;
  readonly push: Cost;
  readonly packBytes: number;
  readonly pull: Cost;
  readonly index: Cost;
  readonly taken: number;
  readonly commitBytes: number;
  /** The switch, where the contents are analysed, and where they are pulled. */
  readonly switched: Cost;
  readonly pulledSwitch: Cost;
}

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
  const program = `deno run -q -P --no-check --config "${ROOT}deno.json" "${ROOT}src/main.ts"`;
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

/** Measures one project in a new folder, which is removed afterwards. */
async function measure(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<ShareFigures> {
  const dir = await Deno.makeTempDir({ prefix: "code-intel-share-" });
  try {
    const [first, second, remote] = ["first", "second", "remote.git"].map((one) => join(dir, one));
    if (first === undefined || second === undefined || remote === undefined) throw new Error();
    await make(first);
    await runProgram("git", ["init", "--quiet", "--bare", remote], dir);
    await runProgram("git", ["clone", "--quiet", first, second], dir);
    for (const one of [first, second]) {
      await runProgram("git", ["remote", "add", "team", remote], one);
    }
    const cold = await run("index", first);
    const push = await run("share push team", first);
    const pull = await run("share pull team", second);
    const index = await run("index", second);
    const listed = await runProgram("git", ["ls-files", "-z"], first);
    const paths = listed.split("\0").filter((path) => path !== "");
    const changed = paths.filter((one) => /\.\w+$/.test(one));
    await changeFiles(first, changed.slice(0, COMMIT_FILES));
    const commit = await run("share push team", first);
    const others = changed.slice(COMMIT_FILES).filter((_, at) => at % SWITCHED_EVERY === 0);
    await changeFiles(first, others);
    await changeFiles(second, others);
    const switched = await run("index", first);
    await run("share push team", first);
    const pulledSwitch = add(await run("share pull team", second), await run("index", second));
    const sizes = await Promise.all(
      paths.map((path) => Deno.lstat(join(second, path)).then(({ size }) => size, () => 0)),
    );
    return {
      name,
      files: Number(cold.reply["files"]),
      sourceBytes: sizes.reduce((sum, size) => sum + size, 0),
      cold,
      push,
      packBytes: Number(push.reply["size_bytes"]),
      pull,
      index,
      taken: Number(index.reply["taken"] ?? 0),
      commitBytes: Number(commit.reply["sent_bytes"]),
      switched,
      pulledSwitch,
    };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Another content in every language. */
async function changeFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await Deno.writeTextFile(join(folder, path), "\n", { append: true });
  await commitAll(folder);
}

async function makeGenerated(folder: string, files: number): Promise<void> {
  for (let at = 0; at < files; at++) {
    const { path, text } = makeSampleFile(at);
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  await runProgram("git", ["init", "--quiet", "."], folder);
  await commitAll(folder);
}

/** Only what is committed is shared. */
async function commitAll(folder: string): Promise<void> {
  await runProgram("git", ["add", "--all"], folder);
  const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"];
  await runProgram("git", [...identity, "commit", "--quiet", "-m", "Files"], folder);
}

function toRow(row: ShareFigures): string {
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(bytes > 1e7 ? 0 : 2)} MB`;
  const cost = ({ seconds, processorSeconds }: Cost) =>
    `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)})`;
  const cells = [
    row.name,
    `${row.files.toLocaleString("en")}, ${megabytes(row.sourceBytes)}`,
    cost(row.cold),
    cost(row.push),
    `${megabytes(row.packBytes)}, ${(row.packBytes / row.sourceBytes).toFixed(2)}`,
    `${cost(add(row.pull, row.index))}, ${(100 * row.taken / row.files).toFixed(0)} %`,
    cost(row.pull),
    `${(row.commitBytes / 1024).toFixed(0)} KB`,
    `${cost(row.switched)} / ${cost(row.pulledSwitch)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const TABLE_HEAD = [
  "| project | files, source | `index` from nothing | `share push` | packs, by source | ready on a second machine, taken | of which `share pull` | push after a commit of ten files | 5 % of the files differ: analysed / pulled |",
  "|---|---|---|---|---|---|---|---|---|",
];

const args = [...Deno.args];
const isWritten = args.includes("--docs");
const at = args.indexOf("--files");
const counts = at < 0 ? [] : (args[at + 1] ?? "").split(",").map(Number);
const given = at < 0 ? args : args.toSpliced(at, 2);
const repositories = given.filter((arg) => arg !== "--docs");
const USAGE = "deno task share [--docs] [--files N,M] REPOSITORY...";
const unknown = repositories.find((arg) => arg.startsWith("-"));
if (unknown !== undefined) endWrongUse(`There is no option ${unknown}`, USAGE);
if (repositories.length + counts.length === 0) endWrongUse("Name a repository", USAGE);
if (!counts.every((count) => count > 0)) endWrongUse("--files takes numbers of files", USAGE);
await expectPaths(USAGE, repositories.filter((one) => !/^\w[\w+.-]*:|@/.test(one)));
const rows: string[] = [];
for (const repository of repositories) {
  const clone = (folder: string) =>
    runProgram("git", ["clone", "--quiet", repository, folder], ROOT).then(() => {});
  rows.push(toRow(await measure(basename(repository.replace(/\/repo$/, "")), clone)));
  say(rows.at(-1) ?? "");
}
for (const count of counts) {
  const name = `${count.toLocaleString("en")} generated files`;
  rows.push(toRow(await measure(name, (folder) => makeGenerated(folder, count))));
  say(rows.at(-1) ?? "");
}
const table = [...TABLE_HEAD, ...rows].join("\n");
say(table);
if (isWritten) {
  const page = await Deno.readTextFile(PAGE);
  const [before = "", after = ""] = page.split(HEADING);
  const rest = after.replace(/^(?:\|.*\n)*\n?/, "");
  await Deno.writeTextFile(PAGE, `${before}${HEADING}${table}\n\n${rest}`);
}
