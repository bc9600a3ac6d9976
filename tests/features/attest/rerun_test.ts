/** Repeated proofs: what a note says is never run for its own sake, and results are compared by name. */
import { deepStrictEqual as deepEqual, strictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../../src/base/clock.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { compareCommand, rerun } from "../../../src/features/attest/rerun.ts";
import { createServices } from "../../../src/services/services.ts";
import { createTempRepo } from "../../support/temp_repo.ts";
import { toRun, toTestStatement } from "./attested_repo.ts";

const [ROW] = toRun().results;

Deno.test("rerun() runs only commands of the commit's configuration that somebody allowed", async () => {
  const verify = [{ name: "test", run: ["sh", "test.sh"] }];
  await using temp = await createTempRepo({
    files: {
      ".code-intel/config.json": JSON.stringify({ verify }),
      "test.sh": "touch ../ran; echo TAP version 13; echo 'ok 1 - a'; echo 1..1",
    },
  });
  const state = await Deno.makeTempDir();
  const { verification } = await createServices({
    projectDir: temp.dir,
    logger: SILENT_LOGGER,
    offered: [],
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? state : Deno.env.get(name),
  });
  const { hash } = await verification.loadCommands();
  const commit = await temp.git("rev-parse", "HEAD");
  const tree = await temp.git("rev-parse", "HEAD^{tree}");
  const started: string[] = [];
  const check = async (
    change: { readonly run?: readonly string[]; readonly hash?: string },
    allowed: readonly string[],
    of = tree,
  ) => {
    if (ROW === undefined) throw new Error("no row");
    const run = toRun({
      commandsHash: change.hash ?? hash,
      results: [{ ...ROW, run: change.run ?? ROW.run }],
    });
    const statement = toTestStatement({ commit, tree: of, parents: [], run });
    return await rerun(statement, of, {
      repo: temp.repo,
      verification,
      allowed,
      clock: SYSTEM_CLOCK,
      signal: new AbortController().signal,
      onCommand: (name) => void started.push(name),
    });
  };
  equal((await check({ run: ["touch", join(state, "x")] }, [hash])).kind, "commands_differ");
  equal((await check({}, [])).kind, "not_allowed");
  equal((await check({}, ["", "0".repeat(64), hash.slice(0, 11)])).kind, "not_allowed");
  // A hash that the note invents and somebody allows is not that of the commit's commands.
  const invented = "e".repeat(64);
  equal((await check({ hash: invented }, [invented])).kind, "no_checkout");
  // Nor is it where the commit has another text behind the same command.
  await temp.commit("other script", { "test.sh": "touch ../evil" });
  const other = await temp.git("rev-parse", "HEAD^{tree}");
  equal((await check({}, [hash], other)).kind, "no_checkout");
  deepEqual(started, []);
  // Twelve digits say which commands are meant.
  const ran = await check({}, [hash.slice(0, 12).toUpperCase()]);
  deepEqual(ran.kind === "differs" && ran.commands[0]?.differences, [
    "1 passed, 3 then",
    "0 skipped, 1 then",
  ]);
  deepEqual(started, ["test"]);
  const plain = toTestStatement({ commit, tree, parents: [], run: null });
  equal(plain.predicate.run, null);
});

Deno.test("compareCommand() compares outcome, counts and failures by name", () => {
  const [then] = toTestStatement({ commit: "1".repeat(40), tree: "2".repeat(40), parents: [] })
    .predicate.run?.commands ?? [];
  if (then === undefined || ROW === undefined) throw new Error("no command");
  const { report } = ROW;
  if (!report) throw new Error("no report");
  const rows: readonly (readonly [Partial<typeof ROW>, readonly string[]])[] = [
    [{}, []],
    [{ exitCode: 2 }, ["it fails now (exit code 2)"]],
    [{ exitCode: null, timedOut: true, failure: "reached its time limit after 1.0 s" }, [
      "it fails now (reached its time limit after 1.0 s)",
    ]],
    [{ report: null }, ["its output names no test"]],
    [{ report: { ...report, passed: 2, skipped: 2 } }, ["2 passed, 3 then", "2 skipped, 1 then"]],
    [{ report: { ...report, failures: [{ name: "b", line: "" }] } }, ["failed newly: b"]],
    [{ report: { ...report, failures: [{ name: "b", line: "" }], isComplete: false } }, []],
  ];
  for (const [change, expected] of rows) {
    deepEqual(compareCommand(then, { ...ROW, ...change }), expected);
  }
  // A base that moved brings tests of its own, but no failure.
  const onMerge = (change: Partial<typeof ROW>) =>
    compareCommand(then, { ...ROW, ...change }, { isMoved: true });
  deepEqual(onMerge({ report: { ...report, passed: 9, skipped: 2 } }), []);
  deepEqual(onMerge({ report: { ...report, passed: 2, skipped: 0 } }), []);
  deepEqual(onMerge({ report: { ...report, passed: 0 } }), ["0 passed, 3 then"]);
  deepEqual(
    onMerge({ exitCode: 1, report: { ...report, failed: 1, failures: [{ name: "b", line: "" }] } }),
    ["it fails now (exit code 1)", "1 failed, 0 then", "failed newly: b"],
  );
});
