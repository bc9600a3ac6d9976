/** The form of a payload with what the server knows already: the agent confirms or changes it. Pure. */
import { clip } from "../base/text/clip.ts";
import type { ContractRow } from "./contract_texts.ts";
import { BUILT_IN } from "./contract_texts.ts";
import type { SessionState } from "./state.ts";
import { toNextTask } from "./tasks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a stage expects, with the known values in the fields that the project's contract left as they are. */
export function fillPayload(state: SessionState, { expectedPayload }: ContractRow): Fields {
  const usual = BUILT_IN[state.stage].expectedPayload;
  const known = Object.entries(toKnown(state)).filter(([field]) =>
    field in expectedPayload && expectedPayload[field] === usual[field]
  );
  return { ...expectedPayload, ...Object.fromEntries(known) };
}

function toKnown(state: SessionState): Fields {
  if (state.stage === "PRE_COMMIT") return { commit_message: toMessage(state) };
  const task = state.stage === "READY_IMPL" ? toNextTask(state.tasks) : null;
  if (task === null) return {};
  return {
    task_id: task.id,
    checklist: task.checklist.map(({ item }) => ({
      item,
      status: "done | skipped",
      evidence: "path:line-line",
    })),
  };
}

/** Longest subject of a commit message that tools show whole. */
const SUBJECT_CHARS = 72;
const MOST_LINES = 8;

/** A commit message from the request and, where there are several, the tasks. */
function toMessage({ query, tasks }: SessionState): string {
  const [first = ""] = query.trim().split(/\n|(?<=[.!?])\s/);
  const subject = clip(first.replace(/[.!?]+$/, ""), SUBJECT_CHARS);
  const done = tasks.filter(({ status }) => status === "completed").slice(0, MOST_LINES);
  const body = done.length < 2
    ? []
    : ["", ...done.map(({ description }) => `- ${clip(description, SUBJECT_CHARS)}`)];
  return [`${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}`, ...body].join("\n");
}
