/**
 * Measures questions across the repositories of a workspace, in one process as a server asks them.
 *
 * `deno task workspace PROJECT`: prints a table for a project that has a workspace; median of the time that passes and
 * mean of what the processors do, in milliseconds.
 */
import process from "node:process";
import { createProjectWorkspace } from "../../src/features/workspace/project_workspace.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createServices } from "../../src/services/services.ts";
import type { OtherAnswer } from "../../src/services/other_repositories.ts";
import { endWrongUse } from "../../tools/task.ts";
import { computeSum } from "../harness/figures.ts";
import { computeMedian } from "../harness/measure.ts";
import { print, timeMs } from "../harness/run.ts";

const ROUNDS = 9;
/** Names that few, some and very many definitions have. */
const NAMES = ["nothing_of_this_kind", "Router", "Context", "parse", "handle", "get"];
const QUESTIONS = [
  "where is a route matched",
  "parse the options of a command",
  "how are comments attached to nodes of the syntax tree",
  "retry a failed request",
  "the",
];

/** Asks a question several times, and prints a row of the table. */
async function measure(name: string, ask: () => Promise<OtherAnswer>): Promise<void> {
  const times: number[] = [];
  let found = 0;
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    times.push(
      await timeMs(async () => found = computeSum((await ask()).others, ({ total }) => total)),
    );
  }
  const { user, system } = process.cpuUsage(before);
  const processorMs = (user + system) / 1000 / ROUNDS;
  print(`| ${name} | ${found} | ${computeMedian(times).toFixed(1)} | ${processorMs.toFixed(1)} |`);
}

const [projectDir] = Deno.args;
if (projectDir === undefined) {
  endWrongUse("Name a project that has a workspace", "deno task workspace PROJECT");
}
const options = { projectDir, logger: SILENT_LOGGER, offered: [], isBrief: true };
const { parts, close } = await createServices(options);
const workspace = createProjectWorkspace(parts);
const members = await workspace.describe() ?? [];
print(`${members.length} members with ${computeSum(members, ({ files }) => files)} files\n`);
print("| question | places | median, ms | processor, ms |\n|---|---|---|---|");
for (const name of NAMES) await measure(`def ${name}`, () => workspace.findDefinitions(name));
for (const text of QUESTIONS) await measure(`search ${text}`, () => workspace.search(text));
for (const name of NAMES) await measure(`refs ${name}`, () => workspace.findReferences(name));
await workspace.close();
await close();
