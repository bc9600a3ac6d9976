/** The form of a payload with what the server knows already: the agent confirms or changes it. Pure. */
import type { Stage } from "../table/phases.ts";
import { PHASES } from "../table/phases.ts";
import type { SessionState } from "../state.ts";
import { listDoubts } from "../rules/frame_doubts.ts";
import { findNextTask } from "../tasks.ts";
import { findTransition } from "../table/transitions.ts";
import { clip } from "../../base/text/clip.ts";
import { chooseTitle, TITLE_CHARS } from "../../base/text/title.ts";
import type { ContractRow } from "../table/stage.ts";
import { isAboutDefect, listClauses } from "../contract/clauses.ts";

/** So many steps are offered in one row, of many tasks too; a longer one would be read by nobody (guessed). */
const MOST_FOLLOWING = 5;

/**
 * The states, in order, of the steps whose payloads can be sent with that of the present one; empty where there are none.
 * All finished tasks are reported in one row.
 */
export function listFollowing(state: SessionState): readonly SessionState[] {
  // At high risk the server's advice on the exploration is read before the questions are answered.
  const beginning: Stage = state.risk === "HIGH" ? "Q1" : "EXPLORATION";
  if (state.stage !== beginning && !PHASES[state.stage].begins) return [];
  const following: SessionState[] = [];
  for (let at = state;;) {
    const next = findNextState(at);
    if (next === null || following.length === MOST_FOLLOWING) return following;
    following.push(next);
    at = next;
  }
}

/** The state at the step behind, where everything is clear; null where a reply has to be read first. */
function findNextState(state: SessionState): SessionState | null {
  const { stage, tasks } = state;
  const task = findNextTask(tasks);
  const others = tasks.map((one) => one === task ? { ...one, status: "completed" as const } : one);
  if (stage === "READY_IMPL" && findNextTask(others) !== null) return { ...state, tasks: others };
  // Doubts of the frame are known before, and step 9 asks for them whatever is answered.
  const doubts = stage === "Q2" ? listDoubts(state) : [];
  const outcome = doubts.length > 0 ? "yes" : PHASES[stage].clear;
  if (outcome === undefined) return null;
  const { to } = findTransition(state, outcome);
  if (to === "stay" || !PHASES[to].joins) return null;
  const hypotheses = doubts.length > 0 ? doubts : state.hypotheses;
  return { ...state, tasks: others, stage: to, hypotheses };
}

type Fields = Readonly<Record<string, unknown>>;

/** What is not asked for behind another payload: it has nothing to add, and the sequence goes on where nothing is open. */
const NOT_IN_ROW = ["summary", "tools_used", "hypotheses"];

/** The form of a step that is sent together with an earlier one; the items of its task stand in no other field. */
export function fillRowPayload(state: SessionState, row: ContractRow): Fields {
  const form = Object.entries(fillPayload(state, row))
    .filter(([field]) => !NOT_IN_ROW.includes(field));
  const items = findNextTask(state.tasks)?.checklist ?? [];
  return Object.fromEntries(
    form.map(([field, value]) =>
      state.stage === "READY_IMPL" && field === "checklist"
        ? [field, items.map(({ item }) => ({ item, evidence: chooseEvidenceForm(item) }))]
        : [field, value]
    ),
  );
}

/** What a stage expects, with the known values in the fields that the project's contract left as they are. */
export function fillPayload(state: SessionState, { expectedPayload }: ContractRow): Fields {
  const usual = PHASES[state.stage].asks.expectedPayload;
  const isUsual = (field: string) =>
    field in expectedPayload && expectedPayload[field] === usual[field];
  const known = Object.entries(buildKnownFields(state)).filter(([field]) => isUsual(field));
  const free = listUnneeded(state, Object.keys(usual)).filter(isUsual);
  const fields = Object.entries({ ...expectedPayload, ...Object.fromEntries(known) })
    .filter(([field]) => !free.includes(field));
  // Who sent the count once and leaves it out has lost its memory. So an empty form has it, and each of the default way.
  const isAsked = state.compactionSeen && (fields.length === 0 || state.sent !== undefined);
  const count = isAsked ? { compaction_count: state.compactionCount } : {};
  return { ...Object.fromEntries(fields), ...count };
}

/** Fields of the form that the session has no use for. */
function listUnneeded(state: SessionState, fields: readonly string[]): readonly string[] {
  if (hasOwnRun(state)) return fields;
  if (isSmall(state) && state.stage === "Q2") return ["hypotheses"];
  if (state.stage === "EXPLORATION" && !isAboutDefect(state)) return ["reproduced"];
  return state.stage === "READY_COMPLETE" && listClauses(state).length === 0 ? ["observed"] : [];
}

/** At step 15, whether the project has commands: the server runs them, and nobody has to report. */
function hasOwnRun({ stage, fixedVerify }: SessionState): boolean {
  return stage === "POST_IMPL_VERIFY" && (fixedVerify?.verify ?? []).length > 0;
}

/** True until a small request has a plan. */
function isSmall({ size, tasks }: SessionState): boolean {
  return size?.level === "small" && tasks.length === 0;
}

function buildKnownFields(state: SessionState): Fields {
  if (state.stage === "PRE_COMMIT") {
    const message = state.sent?.["commit_message"] ?? composeMessage(state);
    return message === null ? {} : { commit_message: message };
  }
  if (state.stage === "READY_COMPLETE") {
    return { observed: Object.fromEntries(listClauses(state).map((clause) => [clause, "…"])) };
  }
  if (state.stage === "VERIFICATION" && state.hypotheses.length > 0) {
    return { hypotheses_verified: state.hypotheses.map(buildHypothesis) };
  }
  if (state.stage === "READY_PLAN" && state.tasks.length > 0) {
    const [example] = PHASES.READY_PLAN.asks.expectedPayload.tasks as readonly Fields[];
    return { tasks: [{ ...example, id: chooseFreeId(state.tasks) }] };
  }
  if (isSmall(state)) return PHASES[state.stage].small ?? {};
  const task = state.stage === "READY_IMPL" ? findNextTask(state.tasks) : null;
  if (task === null) return {};
  return {
    task_id: task.id,
    checklist: task.checklist.map(({ item }, at) => ({
      item: at + 1,
      evidence: chooseEvidenceForm(item),
    })),
  };
}

/** An id that no task has. */
export function chooseFreeId(tasks: SessionState["tasks"]): string {
  const numbers = tasks.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0));
  return `task_${Math.max(tasks.length, ...numbers) + 1}`;
}

const RENAMES = /^(?:rename|move)\s+(?:the\s+)?(?:file\s+)?\S*\.\w+\W*\s+(?:to|into|as)\s/i;
const DELETES =
  /^(?:delete|remove)\s+(?:the\s+)?(?:(?:whole|test|old)\s+)*(?:file\s+)?[`"']?\S*[\w-]\.\w+[`"']?\W*$/i;

/** How the evidence of an item looks, by its words. */
function chooseEvidenceForm(item: string): string {
  if (RENAMES.test(item)) return "path:renamed";
  return DELETES.test(item) ? "path:deleted" : "path:line-line";
}

function buildHypothesis(hypothesis: string): Fields {
  return { hypothesis, result: "confirmed | refuted", evidence: "path:line" };
}

const MOST_LINES = 8;
/** Longest description of a task in the message. */
const MOST_CHARS = 280;

/** A commit message from the request and, where there are several, the tasks; null where nothing says what is done. */
export function composeMessage(state: SessionState): string | null {
  const completed = state.tasks.filter(({ status }) => status === "completed");
  const subject = chooseTitle(state.query, completed.map(({ description }) => description));
  if (subject === null) return null;
  const done = completed.slice(0, MOST_LINES);
  const body = done.length < 2
    ? []
    : ["", ...done.map(({ description }) => formatBullet(description))];
  return [`${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}`, ...body].join("\n");
}

/** A point of a list whose lines are as long as the subject may be. */
function formatBullet(text: string): string {
  const lines = ["-"];
  for (const word of clip(text.replaceAll(/\s+/g, " ").trim(), MOST_CHARS).split(" ")) {
    const last = lines.at(-1) ?? "";
    if (`${last} ${word}`.length > TITLE_CHARS) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
