/**
 * What an agent was told of a step, by this process: a refusal that comes after it does not say the same once more. Who
 * lost its memory finds all of it in the status of the session.
 */
import type { Reply } from "../base/reply.ts";
import { say, tool } from "../base/text/words.ts";

/** Fields that tell of the step, and say in a refusal what the reply before it said. */
const STEP_FIELDS = [
  "expected_payload",
  "then",
  "required_tools",
  "resources",
  "progress",
  "next_task",
  "existing_tasks",
  "mandatory_rules",
  "changed_tests",
  "constraints",
  "risk_note",
  "hypotheses",
  "open_clauses",
  "observed_unproven",
];

type Fields = Readonly<Record<string, unknown>>;

/** Remembers the last block of each session that a reply carried whole. */
export class ToldSteps {
  readonly #last = new Map<string, Fields>();

  /** The reply as it is sent: a refusal without what the last reply of its session said of the same step. */
  shorten(reply: Reply): Reply {
    const { session_id: id, step, instruction, compaction_count: count } = reply as Fields;
    // A clearance, for example, has an instruction and no block of the step.
    if (typeof id !== "string" || step === undefined || instruction === undefined) return reply;
    const last = this.#last.get(id);
    // An agent that lost its conversation has not read the reply before.
    const isSame = last !== undefined && last["compaction_count"] === count &&
      !("phase_summaries" in reply) && String(last["instruction"]).endsWith(String(instruction));
    if (reply.ok || !isSame) {
      this.#last.set(id, reply);
      return reply;
    }
    const repeated = STEP_FIELDS.filter((field) =>
      field in reply && JSON.stringify(reply[field]) === JSON.stringify(last[field])
    );
    const left = new Set(["instruction", ...repeated]);
    const { error, message } = reply;
    return {
      ok: false,
      error,
      message,
      ...Object.fromEntries(Object.entries(reply).filter(([field]) => !left.has(field))),
      as_before: say`${[...left].join(", ")}: ${tool("get_session_status")} repeats them.`,
    };
  }
}
