/**
 * Takes features out of a scratch copy and proves that the rest still works: `deno task without NAME…`, or `--all`. Types, the
 * layers, tests of the core and a session to the merge have to pass; with `--brief` only the start and the
 * layers, since nothing but an import could break a type. The
 * checkout itself is not changed.
 */
import { FEATURES } from "../../src/features/features.ts";
import { TESTED_PROGRAM } from "../quick_tests/tested_program.ts";
import { endWrongUse, parseWords, print as say, REPOSITORY } from "../task.ts";
import { copyWithout } from "./copy_without.ts";

const USAGE = "deno task without NAME... | --all [--brief]";
const KNOWN = FEATURES.map(({ name }) => name);

/** What has to pass in the copy: a title and the words of `deno`. */
type Check = readonly [title: string, ...words: readonly string[]];

const LAYERS: Check = [
  "layers and table",
  "test",
  "--no-check",
  "-P=test",
  "tests/tidy/layers_test.ts",
  "tests/features/features_test.ts",
];

const CHECKS: readonly Check[] = [
  ["types", "check", "-q", "src/", "tests/"],
  LAYERS,
  [
    "tests of the core",
    "task",
    "test",
    "tests/cli",
    "tests/tools",
    "tests/phase",
    "tests/services",
  ],
  ["a session to the merge", "task", "demo"],
];

const BRIEF_CHECKS: readonly Check[] = [[
  "start",
  "run",
  "--no-check",
  "-P=test",
  "src/main.ts",
  "--help",
], LAYERS];

const { values, positionals } = parseWords(USAGE, {
  args: Deno.args,
  allowPositionals: true,
  options: { all: { type: "boolean" }, brief: { type: "boolean" } },
});
const names = values.all === true ? KNOWN : positionals;
const unknown = names.find((name) => !KNOWN.includes(name));
if (unknown !== undefined) {
  endWrongUse(`There is no feature ${unknown}: ${KNOWN.join(", ")}`, USAGE);
}
if (names.length === 0) endWrongUse(`Name a feature: ${KNOWN.join(", ")}`, USAGE);

const environment = toEnvironment();
const copy = await Deno.makeTempDir({ prefix: "code-intel-without-" });
try {
  await copyWithout(REPOSITORY, copy, names);
  for (const [title, ...words] of values.brief === true ? BRIEF_CHECKS : CHECKS) {
    const passed = await runCheck(words);
    say(`without ${names.join(", ")}: ${title} ${passed ? "passed" : "failed"}`);
    if (!passed) Deno.exitCode = 1;
  }
} finally {
  await Deno.remove(copy, { recursive: true });
}

/** A run of tests that starts this one has a bundle of the whole program, which the copy is not. */
function toEnvironment(): Readonly<Record<string, string>> {
  const { [TESTED_PROGRAM]: _bundle, ...rest } = Deno.env.toObject();
  return rest;
}

async function runCheck(words: readonly string[]): Promise<boolean> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...words],
    cwd: copy,
    clearEnv: true,
    env: { ...environment, NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) say(`${decoder.decode(stdout)}\n${decoder.decode(stderr)}`);
  return success;
}
