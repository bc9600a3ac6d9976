/**
 * The default session whose replies are measured: the straight way from the request to the merged commit on the project
 * of the demo, as a careful agent would send it. Joined, steps at which nothing is open go into one call (13 calls); else
 * each has a call of its own (20).
 */
import type { Edit } from "../demo/edits.ts";
import {
  ADD_RENEW,
  applyEdit,
  COUNT_RENEWALS,
  FIX_BOUND,
  SHOW_RENEWALS,
  toEvidence,
} from "../demo/edits.ts";
import { FRAME } from "../demo/plan.ts";
import { REQUEST } from "../demo/session.ts";

/** A reply as the walk reads it. */
export type Reply = Readonly<Record<string, unknown>>;

/** Calls a tool and gives its reply with the bytes of its text. */
export type Caller = (tool: string, args: Reply) => Promise<{
  readonly reply: Reply;
  readonly sizeBytes: number;
}>;

/** One call of the walk. */
export interface MeasuredCall {
  /** The tool, with the step that the session was at before the call. */
  readonly name: string;
  readonly sizeBytes: number;
}

/** Edits that are right at once, so that no step is walked twice. */
const EDITS: readonly Edit[] = [...COUNT_RENEWALS, ADD_RENEW, FIX_BOUND, SHOW_RENEWALS];
const ITEMS = ["Count renewals and add renew() to src/loans.ts", "Print them in src/report.ts"];

const FOUND = {
  explored_files: ["src/loans.ts", "src/report.ts"],
  findings: ["lend() makes a loan (src/loans.ts:16)", "renderLine() prints it (src/report.ts:11)"],
};

interface Call {
  readonly tool: string;
  readonly args: Reply;
  /** The step that the reply must name, where the call moves the session. */
  readonly step?: number;
  /** True for a payload that can be sent together with the one before. */
  readonly isJoined?: boolean;
}

/** Walks the session in the project at `root` and gives the sizes of its replies, in order. */
export async function walkDefaultSession(
  call: Caller,
  root: string,
  { isJoined = true }: { readonly isJoined?: boolean } = {},
): Promise<readonly MeasuredCall[]> {
  const sizes: MeasuredCall[] = [];
  let step = 1;
  const send = async ({ tool, args, step: wanted }: Call) => {
    const { reply, sizeBytes } = await call(tool, args);
    sizes.push({ name: `${String(step).padStart(2)} ${tool}`, sizeBytes });
    if (reply.ok !== true || (wanted !== undefined && reply.step !== wanted)) {
      throw new Error(`${tool} at step ${step}: ${JSON.stringify(reply)}`);
    }
    step = wanted ?? step;
  };
  const sendAll = async (calls: readonly Call[]) => {
    for (const each of isJoined ? toRows(calls) : calls) await send(each);
  };
  await sendAll([...UNDERSTAND, ...EXPLORE, ...PLAN]);
  for (const edit of EDITS) await applyEdit(root, edit);
  await sendAll([...await toReport(root), ...FINISH]);
  return sizes;
}

/** Puts the payloads that can be joined into `then` of the call before them. */
function toRows(calls: readonly Call[]): readonly Call[] {
  const rows: Call[] = [];
  for (const each of calls) {
    const before = rows.at(-1);
    if (each.isJoined !== true || before === undefined) {
      rows.push(each);
      continue;
    }
    const { summary: _summary, tools_used: _tools, compaction_count: _count, ...data } = each.args
      .data as Reply;
    const then = [...(before.args.then as readonly Reply[] | undefined ?? []), data];
    rows[rows.length - 1] = {
      ...before,
      args: { ...before.args, then },
      ...(each.step === undefined ? {} : { step: each.step }),
    };
  }
  return rows;
}

const UNDERSTAND: readonly Call[] = [
  { tool: "start_session", args: { intent: "IMPLEMENT", query: REQUEST }, step: 3 },
  { tool: "search_files", args: { pattern: "docs/**" } },
  { tool: "search_text", args: { pattern: "renew|loan", path: "docs" } },
  submit(4, ["search_files", "search_text"], {
    documents_reviewed: ["docs/rules.md"],
    mandatory_rules: [{ rule: "A loan may be renewed at most twice", source: "docs/rules.md:5" }],
    no_documents_reason: null,
  }),
  submit(5, [], FRAME),
];

const EXPLORE: readonly Call[] = [
  { tool: "find_definitions", args: { symbol: "Loan" } },
  { tool: "find_references", args: { symbol: "Loan" } },
  { tool: "get_symbols", args: { path: "src/loans.ts" } },
  submit(6, ["find_definitions", "find_references", "get_symbols"], FOUND),
  joined(8, { needs_more_information: false, reason: "every place is known by name" }),
  joined(10, {
    has_unverified_hypotheses: false,
    reason: "nothing is assumed that was not read",
    hypotheses: [],
  }),
  joined(12, { needs_impact_analysis: false, reason: "the four files are all that use it" }),
];

const PLAN: readonly Call[] = [
  submit(13, [], {
    tasks: [{
      id: "task_1",
      description: "Let a loan be renewed",
      status: "pending",
      checklist: ITEMS.map((item) => ({ item, status: "pending" })),
    }],
  }),
  { tool: "check_write_target", args: { file_paths: ["src/loans.ts", "src/report.ts"] } },
];

async function toReport(root: string): Promise<readonly Call[]> {
  // Every changed line, as a careful agent names them.
  const [first = ""] = COUNT_RENEWALS.map(({ put }) => put.split("\n").at(-3) ?? "");
  const begin = await toEvidence(root, "src/loans.ts", first);
  const end = await toEvidence(root, "src/loans.ts", "loan.renewals + 1 };\n}\n");
  const places = [
    `${begin}-${end.split(/[:-]/).at(-1)}`,
    await toEvidence(root, "src/report.ts", SHOW_RENEWALS.put),
  ];
  const checklist = ITEMS.map((item, index) => ({ item, status: "done", evidence: places[index] }));
  return [submit(14, ["check_write_target"], { task_id: "task_1", checklist })];
}

const FINISH: readonly Call[] = [
  joined(15, {}),
  joined(17, { passed: true, verifier_used: "deno test", failed_tasks: [], details: "" }),
  submit(18, ["review_changes"], {
    reviewed_files: ["src/loans.ts", "src/report.ts"],
    include_person_changes: [],
    commit_message: "Let members renew a loan",
    review_prompt_used: "garbage_detection.md",
  }),
  joined(19, { quality_score: "good", issues: [], quality_prompt_used: "quality_review.md" }),
  joined(19, { on_conflict: "resolve" }),
];

function submit(step: number, tools: readonly string[], data: Reply): Call {
  const common = { summary: "As seen.", tools_used: tools, compaction_count: 0 };
  return { tool: "submit_phase", args: { data: { ...data, ...common } }, step };
}

function joined(step: number, data: Reply): Call {
  return { ...submit(step, [], data), isJoined: true };
}
