/**
 * Makes the executable: `deno task compile [--target NAME|all] [--output PATH] [--deno PATH]`. With `--without-model` it is
 * the one of the wheels, below `dist/without-model/`. With `--hub` it is
 * the one of a hub, which may reach other machines. Prints the size of each part. Ends with 69 where the runtime that it would embed cannot be had.
 */
import { join, resolve } from "node:path";
import type { PartSize } from "./build.ts";
import { buildExecutable, HUB_PERMISSIONS, PERMISSIONS } from "./build.ts";
import type { Runtime } from "./runtime.ts";
import { COMPILER_VERSION, NoRuntime, obtainRuntime } from "./runtime.ts";
import type { Target } from "./targets.ts";
import { findOwnTarget, TARGETS, WITHOUT_MODEL } from "./targets.ts";
import { parseWords, print, REPOSITORY } from "../task.ts";

const USAGE =
  "deno task compile [--target NAME|all] [--output DIR] [--deno PATH] [--without-model] [--hub] [--json]";

/** What shells know as "service unavailable". */
const UNAVAILABLE = 69;

const { values } = parseWords(USAGE, {
  args: Deno.args,
  options: {
    target: { type: "string" },
    output: { type: "string" },
    deno: { type: "string" },
    hub: { type: "boolean", default: false },
    json: { type: "boolean" },
    "without-model": { type: "boolean", default: false },
  },
});

/** The targets that were named; this machine's without a name. */
function toTargets(name: string | undefined): readonly Target[] {
  if (name === "all") return TARGETS;
  const own = findOwnTarget();
  if (name === undefined) return own === null ? [] : [own];
  return TARGETS.filter((target) => target.name === name);
}

/** The Deno that was named and its own runtime, else the packages that hold both. */
async function findRuntime(): Promise<Runtime> {
  if (values.deno !== undefined) return { deno: resolve(values.deno), denort: null };
  if (Deno.version.deno === COMPILER_VERSION) return { deno: Deno.execPath(), denort: null };
  return await obtainRuntime(join(REPOSITORY, "dist", "runtime"));
}

function toOutput(target: Target): string {
  if (values.output !== undefined) return resolve(values.output);
  const isOwn = values.target === undefined;
  const folder = values["without-model"] ? WITHOUT_MODEL : ".";
  const plain = isOwn ? "code-intel" : target.output;
  const name = values.hub ? plain.replace("code-intel", "code-intel-hub") : plain;
  return join(REPOSITORY, "dist", folder, name);
}

function toLines(rows: readonly PartSize[]): string {
  return rows.map(({ title, files, sizeBytes }) =>
    `${title.padEnd(16)} ${String(files).padStart(5)} files ${String(sizeBytes).padStart(12)} bytes`
  ).join("\n");
}

async function main(): Promise<number> {
  const targets = toTargets(values.target);
  if (targets.length === 0) {
    print(`Unknown target; there are ${TARGETS.map(({ name }) => name).join(", ")} and all.`);
    return 64;
  }
  const runtime = await findRuntime();
  for (const target of targets) {
    const output = toOutput(target);
    const isWithoutModel = values["without-model"];
    const permissions = values.hub ? HUB_PERMISSIONS : PERMISSIONS;
    const options = {
      ...{ repository: REPOSITORY, target, runtime, output },
      ...{ isWithoutModel, permissions },
    };
    const rows = await buildExecutable(options);
    print(values.json === true ? JSON.stringify({ output, rows }) : `${output}\n${toLines(rows)}`);
  }
  return 0;
}

try {
  Deno.exitCode = await main();
} catch (failure) {
  if (!(failure instanceof NoRuntime)) throw failure;
  print(`The runtime cannot be had: ${failure.message}`);
  print(`Name a Deno ${COMPILER_VERSION} that may download it: deno task compile --deno PATH`);
  Deno.exitCode = UNAVAILABLE;
}
