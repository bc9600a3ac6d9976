/** What the server looks at by itself when a step opens, through the tool that opens it. */
import { deepStrictEqual as deepEqual, match, strictEqual as equal } from "node:assert/strict";
import { OWN_THREAD } from "../../src/analysis/analysis_pool.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { createServices } from "../../src/services/services.ts";
import { callTool } from "../../src/tools/call.ts";
import { TOOLS } from "../../src/tools/tools.ts";
import { createTempRepo } from "../support/temp_repo.ts";

type Fields = Readonly<Record<string, unknown>>;

const FILES = {
  "docs/rules.md": "# Rules\n\nNobody pays twice.\nA late loan costs at most ten fees.\n",
  // No document of step 3 by the settings, and one all the same.
  "site/reports.md": "# Reports\n\nEach line of a report comes from `toFee`.\n",
  "docs/style.md": "# Style\n\nFees are in cents.\n",
  "src/fees.ts": [
    'import { daysLate } from "./days.ts";',
    "/** The fee of a late loan in cents. */",
    "export function toFee(due: string, today: string): number {",
    "  return daysLate(due, today) * 10;",
    "}",
    "",
  ].join("\n"),
  "src/days.ts":
    "export function daysLate(due: string, today: string): number {\n  return countDays(due, today);\n}\n" +
    "export function countDays(due: string, today: string): number {\n  return due < today ? 1 : 0;\n}\n",
  "src/first.ts": "export function openBook() {}\n",
  "src/second.ts": "export function openBook() {}\n",
  "src/report.ts":
    'import { toFee } from "./fees.ts";\nexport function line(due: string): string {\n  return `${toFee(due, "x")}`;\n}\n',
  "docs/contributing.md": "Use tabs.\n",
  ".github/pull_request_template.md": "Add a test.\n",
  "tests/account_test.ts":
    'import { toFee } from "../src/fees.ts";\nDeno.test("an account is charged", () => {\n  toFee("a", "b");\n});\n',
  "tests/fees_test.ts":
    'import { toFee } from "../src/fees.ts";\nDeno.test("a late loan costs a fee", () => {\n  toFee("a", "b");\n});\n',
};

Deno.test("a step comes with the server's own look: documents at its start, then what is named, who uses it, what it calls, its tests", async () => {
  await using repo = await createTempRepo({ files: FILES });
  const stateDir = await Deno.makeTempDir({ prefix: "code-intel-state-" });
  const services = await createServices({
    projectDir: repo.dir,
    analyser: OWN_THREAD,
    logger: SILENT_LOGGER,
    offered: TOOLS.map(({ name }) => name),
    get: (name) => name === "CODE_INTEL_STATE_DIR" ? stateDir : Deno.env.get(name),
  });
  const ask = async (tool: string, args: unknown) =>
    await callTool(tool, args, {
      loadServices: () => Promise.resolve(services),
      signal: new AbortController().signal,
      via: "mcp",
      logger: SILENT_LOGGER,
    });
  const call = async (tool: string, args: unknown) => {
    const reply = await ask(tool, args);
    equal(reply.ok, true, JSON.stringify(reply));
    return reply;
  };
  try {
    await services.index.sync({});
    const query =
      "raise the fee of a late loan in toFee and in `toFine`, as line() shows it, e.g. by openBook";
    const started = await call("start_session", { intent: "MODIFY", query });
    deepEqual([started.documents, started.no_document_names], [
      [
        "site/reports.md:3 Each line of a report comes from `toFee`.",
        "docs/rules.md:4 A late loan costs at most ten fees.",
      ],
      ["toFine", "openBook"],
    ]);
    deepEqual(started.guides, [
      ".github/pull_request_template.md",
      "docs/contributing.md",
      "docs/style.md",
    ]);
    const slot = { value: "fee of a late loan", quote: "fee of a late loan" };
    const wanted = { value: "raise the fee", quote: "raise the fee" };
    const frame = {
      action_type: "modify",
      slots: { target_feature: slot, desired_action: wanted },
    };
    const common = { constraints: [], summary: "x", tools_used: [] };
    const data = { ...frame, target_symbols: ["toFee"], scope: null, ...common };
    // What the server searched itself need not be searched again before it is confirmed.
    const none = {
      documents_reviewed: [],
      mandatory_rules: [],
      no_documents_reason: "its only line is kept",
      summary: "x",
      tools_used: [],
    };
    // The look was the server's: nobody else can say that they searched.
    const claimed = await ask("submit_phase", { data: { ...none, tools_used: ["search_text"] } });
    deepEqual(claimed.ok === false && claimed.problems?.map(({ code }) => code), [
      "tool_not_recorded",
    ]);
    const framed = await call("submit_phase", { data: none, then: [data] });
    // What the start has shown is not shown again.
    equal(framed.orientation, undefined);
    const { orientation } = started as {
      readonly orientation?: {
        readonly places: readonly unknown[];
        readonly tests: unknown;
        readonly also: unknown;
        readonly names: unknown;
      };
    };
    deepEqual(orientation?.places[0], {
      at: "src/fees.ts:3-5",
      symbol: "toFee",
      why: "named",
      text:
        "/** The fee of a late loan in cents. */\nexport function toFee(due: string, today: string): number {\n  return daysLate(due, today) * 10;\n}",
      used_by: ["src/report.ts:3 in line"],
      calls: ["daysLate src/days.ts:1"],
    });
    // Functions that only hand on are followed, and every name of the request is looked up.
    deepEqual(orientation?.places.slice(1, 4), [
      {
        at: "src/days.ts:1-3",
        symbol: "daysLate",
        why: "named",
        via: "toFee",
        calls: ["countDays src/days.ts:4"],
      },
      { at: "src/days.ts:4-6", symbol: "countDays", why: "named", via: "daysLate" },
      { at: "src/report.ts:2-4", symbol: "line", why: "named", calls: ["toFee src/fees.ts:3"] },
    ]);
    deepEqual(orientation?.names, { toFine: "not defined" });
    deepEqual(orientation?.tests, [
      "tests/fees_test.ts:2 a late loan costs a fee",
      "tests/account_test.ts:2 an account is charged",
    ]);
    await call("find_definitions", { symbol: "toFee" });
    await call("find_references", { symbol: "toFee" });
    await call("query", { question: "who needs toFee?" });
    const explored = { explored_files: ["src/fees.ts"], findings: ["toFee (src/fees.ts:3)"] };
    const [Q1, Q2, Q3] = [
      "needs_more_information",
      "has_unverified_hypotheses",
      "needs_impact_analysis",
    ]
      .map((field) => ({ [field]: false, reason: "it is one function" }));
    const checklist = ["Raise the fee in src/fees.ts", "Add lib/fine.ts", "Open src/second.ts"];
    const tasks = [{ id: "task_1", description: "Raise the fee", checklist }];
    const reproduced = { command: "toFee('a', 'b')", showed: "10" };
    const planned = await call("submit_phase", {
      data: { ...explored, reproduced, summary: "x", tools_used: [] },
      then: [Q1, Q2, Q3, { tasks }],
    });
    // What was not explored is named, and cleared by the agent.
    deepEqual([planned.step, planned.may_write, planned.required_tools], [
      13,
      ["src/fees.ts"],
      undefined,
    ]);
    match(String(planned.not_cleared), /^"lib\/fine\.ts" is new, and nothing in /);
    // What is added and named by the plan is cleared with it; what the plan does not name is asked for.
    const add = async (...files: string[]) => await call("add_explored_files", { files }) as Fields;
    const { may_write, call: next } = await add("src/second.ts");
    deepEqual([may_write, next], [["src/second.ts"], "submit_phase"]);
    const other = await add("src/report.ts");
    deepEqual([other.may_write, other.call], [undefined, "check_write_target"]);
  } finally {
    await services.close();
    await Deno.remove(stateDir, { recursive: true });
  }
});
