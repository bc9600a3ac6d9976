/** What an agent reads of the program in one session keeps within the sizes that were promised. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import { OWN_THREAD } from "../../../src/analysis/analysis_pool.ts";
import { asRecord } from "../../../src/base/text/json_record.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { callTool } from "../../../src/tools/call.ts";
import { Git } from "../../../src/git/git.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import { createServices } from "../../../src/services/services.ts";
import { createSampleProject } from "../../../tools/demo/sample_project.ts";
import { makeTempFolders } from "../../../tools/demo/server.ts";
import { loadFigures, measureReading, toBytes } from "../../../tools/trial/figures.ts";
import type { Caller } from "../../../tools/trial/replay.ts";
import { loadDefaultSession, replay, toSmall, toWhole } from "../../../tools/trial/replay.ts";

/**
 * By hand, where the start tells of the default way too: with a call for each step, with the steps joined at which nothing is open, and as a small request. `gitStarts` is the most
 * without the lists for the index: some four fewer as a rule, more where files are young longer. One is the look after the
 * merge, for what hooks of git did.
 */
const SESSIONS = [
  { isJoined: false, isSmall: false, calls: 17, mostBytes: 14 * 1024, gitStarts: 78 },
  { isJoined: true, isSmall: false, calls: 8, mostBytes: 9_600, gitStarts: 62 },
  { isJoined: true, isSmall: true, calls: 6, mostBytes: 9 * 1024, gitStarts: 62 },
] as const;
/** So many more where a file was written in the second in which git noted it: it is told to look at it anew. */
const RACY_STARTS = 2;
const INDEX_LOOK = "--literal-pathspecs ls-files -z -t --stage --cached";
/** A step's own words: place, instruction, form and next call, with what the server knows already. */
const STEP_BYTES = 1400;
/** That of step 15 has the words of the proof beside them. */
const PROOF_BYTES = 110;
/** The same after a row, which tells of what the steps before it found. */
const ROW_BYTES = 1550;
/** Of a small request, where one reply tells of the size and of the code too. */
const SMALL_STEP_BYTES = 1900;

/** The README says kilobytes; what a run says of commands and times differs a little. */
const FIGURE_SLACK_BYTES = 500;
const BRIEF_BYTES = 10 * 1024;
const LISTING_BYTES = 16 * 1024;
const SKILL_BYTES = 8 * 1024;
const INSTRUCTIONS_BYTES = 2 * 1024;

/** A caller in this process, whose person agrees to the project's commands. */
async function createCaller(folders: {
  readonly root: string;
  readonly stateDir: string;
}): Promise<{
  readonly call: Caller;
  readonly close: () => Promise<void>;
  readonly sync: () => Promise<unknown>;
}> {
  const services = await createServices({
    projectDir: folders.root,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: TOOLS.map(({ name }) => name),
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? folders.stateDir : Deno.env.get(name),
  });
  const call: Caller = async (tool, args) => {
    const startedAt = performance.now();
    const reply = await callTool(tool, args, {
      loadServices: () => Promise.resolve(services),
      signal: new AbortController().signal,
      via: "mcp",
      logger: SILENT_LOGGER,
      asker: { ask: () => Promise.resolve({ kind: "answered", values: { allow: true } }) },
    });
    const durationMs = performance.now() - startedAt;
    return { reply: { ...reply }, sizeBytes: toBytes(JSON.stringify(reply)), durationMs };
  };
  return { call, close: () => services.close(), sync: () => services.index.sync() };
}

/** Counts the starts of git in this process until it is disposed. */
function countGitStarts(): Disposable & { readonly started: readonly string[] } {
  const started: string[] = [];
  const { run } = Git.prototype;
  Git.prototype.run = function (args, options) {
    started.push(args.join(" "));
    return run.call(this, args, options);
  };
  return { started, [Symbol.dispose]: () => void (Git.prototype.run = run) };
}

for (const { isJoined, isSmall, calls, mostBytes, gitStarts } of SESSIONS) {
  Deno.test(`the replies of a default session of ${calls} calls take at most ${mostBytes} bytes, each step at most ${STEP_BYTES}`, async () => {
    await using folders = await makeTempFolders();
    await createSampleProject(folders.root);
    const { call, close, sync } = await createCaller(folders);
    // What a reply says of the code depends on the index, which a used project has.
    await sync();
    let briefBytes = 0;
    const watched: Caller = async (tool, args) => {
      // The session knows most just before its review.
      if (asRecord(args.data).reviewed_files !== undefined) {
        const { brief } = (await call("get_session_status", {})).reply;
        briefBytes = toBytes(JSON.stringify(brief));
      }
      return await call(tool, args);
    };
    using git = countGitStarts();
    const recorded = await loadDefaultSession();
    const recording = isSmall ? toSmall(recorded) : recorded;
    const sizes = await replay(recording, { call: watched, root: folders.root, isJoined });
    await close();
    // How often the index looks at the files depends on how long the calls take.
    const own = git.started.filter((args) => !args.startsWith(INDEX_LOOK));
    ok(own.length <= gitStarts + RACY_STARTS, `${own.length} starts:\n${own.join("\n")}`);
    ok(briefBytes > 500 && briefBytes <= BRIEF_BYTES, `brief: ${briefBytes} bytes`);
    equal(sizes.length, calls);
    const totalBytes = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const shown = sizes.map(({ step, tool, sizeBytes }) => `${step} ${tool} ${sizeBytes}`)
      .join("\n");
    ok(totalBytes <= mostBytes, `${totalBytes} bytes:\n${shown}`);
    const steps = sizes.filter(({ tool }) => tool === "submit_phase");
    const stepBytes = isSmall ? SMALL_STEP_BYTES : isJoined ? ROW_BYTES : STEP_BYTES;
    const isTooLong = ({ step, sizeBytes }: typeof steps[number]) =>
      sizeBytes > stepBytes + (step === 15 ? PROOF_BYTES : 0);
    deepEqual(steps.filter(isTooLong), []);
    if (!isJoined || isSmall) return;
    const { calls: told, replyBytes } = await loadFigures();
    const offBytes = Math.abs(replyBytes - totalBytes);
    ok(
      told === calls && offBytes < FIGURE_SLACK_BYTES,
      `deno task trial --docs: ${totalBytes} bytes`,
    );
  });
}

/** The default way by size: one payload, and of a large request an answer more. */
const WHOLE_SESSIONS = [
  { size: "small", calls: 3, mostBytes: 4 * 1024, mostSent: 1024, gitStarts: 80 },
  { size: "usual", calls: 5, mostBytes: 7 * 1024, mostSent: 1024, gitStarts: 80 },
  { size: "large", calls: 8, mostBytes: 15 * 1024, mostSent: 1536, gitStarts: 90 },
] as const;

for (const { size, calls, mostBytes, mostSent, gitStarts } of WHOLE_SESSIONS) {
  Deno.test(`a ${size} session on the default way takes ${calls} calls, whose replies have at most ${mostBytes} bytes`, async () => {
    await using folders = await makeTempFolders();
    await createSampleProject(folders.root);
    const { call, close, sync } = await createCaller(folders);
    await sync();
    let sentBytes = 0;
    let last: Readonly<Record<string, unknown>> = {};
    const watched: Caller = async (tool, args) => {
      sentBytes += toBytes(JSON.stringify(args));
      const answered = await call(tool, args);
      last = answered.reply;
      return answered;
    };
    using git = countGitStarts();
    const recording = toWhole(await loadDefaultSession(), size);
    const sizes = await replay(recording, { call: watched, root: folders.root });
    await close();
    const own = git.started.filter((args) => !args.startsWith(INDEX_LOOK));
    const totalBytes = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    equal(last["merged"], true, JSON.stringify(last));
    equal(sizes.length, calls);
    ok(totalBytes <= mostBytes, `${totalBytes} bytes`);
    ok(sentBytes <= mostSent, `${sentBytes} bytes sent`);
    ok(own.length <= gitStarts, `${own.length} starts:\n${own.join("\n")}`);
  });
}

Deno.test("what a model reads before it begins keeps its sizes: listing, instructions, skills", async () => {
  const { listingBytes, instructionsBytes, skills } = await measureReading();
  const rows: readonly (readonly [what: string, sizeBytes: number, most: number])[] = [
    ["tools/list", listingBytes, LISTING_BYTES],
    ["instructions", instructionsBytes, INSTRUCTIONS_BYTES],
    ...[...skills].map(([name, sizeBytes]) => [name, sizeBytes, SKILL_BYTES] as const),
  ];
  deepEqual(rows.length, 5);
  for (const [what, sizeBytes, most] of rows) ok(sizeBytes <= most, `${what}: ${sizeBytes} bytes`);
});
