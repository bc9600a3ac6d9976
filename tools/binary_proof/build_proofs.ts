/** What compiling gives: the same bytes for the same files, and a program in either way of carrying them. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { buildExecutable } from "../compile/build.ts";
import { bundle, ENTRIES } from "../compile/bundle.ts";
import { run } from "../run.ts";
import type { Runtime } from "../compile/runtime.ts";
import { NoRuntime, obtainRuntime } from "../compile/runtime.ts";
import type { Target } from "../compile/targets.ts";
import { findOwnTarget } from "../compile/targets.ts";
import { expect, Sandbox, Skipped } from "./sandbox.ts";
import { REPOSITORY } from "../task.ts";

/**
 * Compiles a clone of the commit in a folder of another name and depth. An executable of another commit, or with
 * changes that no clone has, is not compared.
 */
export async function proveSame(sandbox: Sandbox): Promise<void> {
  const facts = await sandbox.must(["--version", "--json"], { cwd: "/" });
  const { commit } = JSON.parse(facts) as { readonly commit: string };
  const present = (await run("git", ["rev-parse", "HEAD"], { cwd: REPOSITORY })).trim();
  if (commit !== present) {
    throw new Skipped(`the executable is of ${commit}, the source of ${present}`);
  }
  await findParts();
  const clone = join(sandbox.folder, "another folder", "below", "clone");
  await run("git", ["clone", "--quiet", "--no-checkout", REPOSITORY, clone], { cwd: "/" });
  await run("git", ["checkout", "--quiet", "--detach", present], { cwd: clone });
  await Deno.mkdir(join(clone, "dist"));
  // The runtime is checked by its hash wherever it lies.
  await Deno.symlink(join(REPOSITORY, "dist", "runtime"), join(clone, "dist", "runtime"));
  const again = join(sandbox.folder, "again");
  const task = ["run", "--quiet", "-P=test", "tools/compile/main.ts", "--output", again];
  await run(Deno.execPath(), task, { cwd: clone });
  expect(await hash(again) === await hash(sandbox.program), "both have the same bytes");
}

/** A page that is off by more is old; the program itself grows by less from one release to the next. */
const MOST_OFF_RATIO = 0.01;

/** The size of the executable is what docs/binary.md says, from which the README has it. */
export async function proveSaidSize(sandbox: Sandbox): Promise<void> {
  const page = await Deno.readTextFile(join(REPOSITORY, "docs", "binary.md"));
  const target = findOwnTarget()?.name;
  if (target === undefined || !page.includes(target)) {
    throw new Skipped("docs/binary.md is about another machine");
  }
  const [, digits = ""] = /^\| executable \| 1 \| ([\d,]+) \|$/m.exec(page) ?? [];
  const saidBytes = Number(digits.replaceAll(",", ""));
  const { size } = await Deno.stat(sandbox.program);
  expect(
    Math.abs(size - saidBytes) <= saidBytes * MOST_OFF_RATIO,
    `docs/binary.md says ${saidBytes} bytes of an executable with ${size}; run \`deno task binary\``,
  );
}

const OPEN =
  "const open = () => ({ read: () => 1, [Symbol.dispose]: () => console.log('disposed') });";
/** A value that is used twice keeps its `using`, and so does one that is never used. */
const KEPT = `${OPEN}
function twice() { using file = open(); return file.read() + file.read(); }
function never() { using _held = open(); return twice(); }
console.log(never());`;
const LOST = `${OPEN}
function once() { using file = open(); return file.read(); }
console.log(once());`;

/** A bundled program disposes of what it takes with `using`; where the minifier lost one, it is not made. */
export async function proveBundle(sandbox: Sandbox): Promise<void> {
  const cwd = sandbox.folder;
  const folder = join(cwd, "bundled");
  await Deno.writeTextFile(join(cwd, "kept.ts"), KEPT);
  await bundle(["kept.ts"], { cwd, folder });
  const said = await run(Deno.execPath(), ["run", "--quiet", join(folder, "kept.js")], { cwd });
  expect(said.split("disposed").length === 3, `two values are disposed of: ${said}`);
  await Deno.writeTextFile(join(cwd, "lost.ts"), LOST);
  const refusal = await bundle(["lost.ts"], { cwd, folder: join(cwd, "lost") })
    .then(() => "nothing was refused", (failure: Error) => failure.message);
  expect(refusal.startsWith("the minifier lost 1 of 1"), refusal);
}

/** An executable that carries its files as those for macOS and Windows do, on this machine. */
export async function proveEmbedded(sandbox: Sandbox): Promise<void> {
  const { target, runtime } = await findParts();
  const program = await build(sandbox, { target: { ...target, placement: "embedded" }, runtime });
  await using embedded = await Sandbox.open(program);
  const cwd = await embedded.makeRepository({ "pay.go": "package pay\n\nfunc Pay() {}\n" });
  const text = await Deno.readTextFile(join(REPOSITORY, "THIRD_PARTY_LICENSES"));
  expect(await embedded.must(["licenses"], { cwd }) === text, "licenses prints the file");
  const reply = JSON.parse(await embedded.must(["index", "--json"], { cwd }));
  expect(reply.symbols > 0, "a grammar is read");
  const checks = await embedded.must(["doctor", "--json"], { cwd });
  expect(checks.includes("is whole") && checks.includes("sqlite-vec v"), checks);
}

/** The source uses nothing that the compiling Deno does not know: its types are held against it. */
export async function proveTypes(_sandbox: Sandbox): Promise<void> {
  const { runtime } = await findParts();
  await run(runtime.deno, ["check", "--quiet", ...ENTRIES], {
    cwd: REPOSITORY,
    // Packages that are types alone may have to be fetched, also where the system has its own authority.
    env: { DENO_TLS_CA_STORE: "system,mozilla" },
  }).catch((failure: Error) => {
    if (/TS\d+ \[ERROR\]/.test(failure.message)) throw failure;
    throw new Skipped(`its types could not be read: ${failure.message.slice(0, 200)}`);
  });
}

interface Parts {
  readonly target: Target;
  readonly runtime: Runtime;
}

async function findParts(): Promise<Parts> {
  const target = findOwnTarget();
  if (target === null) throw new Skipped("no executable can be made for this machine");
  try {
    return { target, runtime: await obtainRuntime(join(REPOSITORY, "dist", "runtime")) };
  } catch (failure) {
    throw failure instanceof NoRuntime ? new Skipped(failure.message) : failure;
  }
}

async function build(sandbox: Sandbox, { target, runtime }: Parts): Promise<string> {
  const output = join(sandbox.folder, "built");
  await buildExecutable({ repository: REPOSITORY, target, runtime, output });
  return output;
}

async function hash(path: string): Promise<string> {
  return createHash("sha256").update(await Deno.readFile(path)).digest("hex");
}
