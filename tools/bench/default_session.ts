/**
 * The default session whose replies are measured: 21 calls on the project of the demo, the straight way
 * from the request to the merged commit, as a careful agent would send them.
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
}

/** Walks the session in the project at `root` and gives the sizes of its replies, in order. */
export async function walkDefaultSession(
  call: Caller,
  root: string,
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
  for (const each of [...UNDERSTAND, ...EXPLORE, ...PLAN]) await send(each);
  for (const edit of EDITS) await applyEdit(root, edit);
  for (const each of [...await toReport(root), ...FINISH]) await send(each);
  return sizes;
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
  submit(8, [], { needs_more_information: false, reason: "every place is known by name" }),
  submit(10, [], {
    has_unverified_hypotheses: false,
    reason: "nothing is assumed that was not read",
    hypotheses: [],
  }),
  submit(12, [], { needs_impact_analysis: false, reason: "the four files are all that use it" }),
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
  const places = [
    await toEvidence(root, "src/loans.ts", ADD_RENEW.put.split("\n")[1] ?? ""),
    await toEvidence(root, "src/report.ts", SHOW_RENEWALS.put),
  ];
  const checklist = ITEMS.map((item, index) => ({ item, status: "done", evidence: places[index] }));
  return [submit(14, ["check_write_target"], { task_id: "task_1", checklist })];
}

const FINISH: readonly Call[] = [
  submit(15, [], {}),
  submit(17, [], { passed: true, verifier_used: "deno test", failed_tasks: [], details: "" }),
  { tool: "review_changes", args: {} },
  submit(18, ["review_changes"], {
    reviewed_files: ["src/loans.ts", "src/report.ts"],
    include_person_changes: [],
    commit_message: "Let members renew a loan",
    review_prompt_used: "garbage_detection.md",
  }),
  submit(19, [], { quality_score: "good", issues: [], quality_prompt_used: "quality_review.md" }),
  submit(19, [], { on_conflict: "resolve" }),
];

function submit(step: number, tools: readonly string[], data: Reply): Call {
  const common = { summary: "As seen.", tools_used: tools, compaction_count: 0 };
  return { tool: "submit_phase", args: { data: { ...data, ...common } }, step };
}
