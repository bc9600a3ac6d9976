/** Asks the user whether changes are to be resolved as the agent says. */
import { STEP } from "../../base/steps.ts";
import { createHash } from "node:crypto";
import type { Answer, AskedSource, FormValues, Question, UserPrompt } from "../../base/asker.ts";
import type { ProjectPath } from "../../base/paths.ts";
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";
import type { ChangeResolution } from "../../phase/payload/payloads.ts";
import type { OpenSession } from "../context/sessions.ts";
import type { Inspection } from "../look/inspect.ts";

/** The user's answer to one question. */
export interface UserAnswer {
  /** Key of the question. */
  readonly key: string;
  /** `relayed`: nobody could be asked, so the agent's word stands for theirs. */
  readonly answer: "confirmed" | "refused" | "unanswered" | "relayed";
  /** Where the user was asked. */
  readonly source: AskedSource;
  /** What they filled in; empty where they filled in nothing. */
  readonly values: FormValues;
}

const MEANINGS: Readonly<Record<ChangeResolution["action"], string>> = {
  restore: "put back as it was before (what is there now is kept)",
  person: "yours: it stays, and the session neither owns nor commits it",
  undo: "the commit or the switch is taken back, its content stays in the files",
  authorize: "part of the task",
  tool: "said to be written by a tool of the task: it becomes part of it, and is reviewed",
};

/**
 * Whether a row needs the user's answer. What the rules decide needs none, and neither does a file
 * that is put back: a snapshot holds what is there now, otherwise the row is refused.
 */
export function needsPerson(row: ChangeResolution): boolean {
  const { action, path } = row;
  return action === "person" || action === "tool" || path === "HEAD" && action === "undo";
}

const MOST_LINES = 20;

/** What is asked about. */
export interface Resolutions {
  readonly rows: readonly ChangeResolution[];
  /**
   * Files, by the agent's paths, in which the user's text would stand on lines of the session.
   */
  readonly overlapping?: readonly ProjectPath[];
  /** Files that the rows about tools take, by the agent's paths: a glob alone would not tell the user. */
  readonly ofTools?: readonly ProjectPath[];
}

/** The question about the rows that need the user's answer; null for no such row. */
export function buildResolutionQuestion(
  session: OpenSession,
  inspection: Inspection,
  { rows, overlapping = [], ofTools = [] }: Resolutions,
): Question | null {
  const asked = rows.filter(needsPerson);
  if (asked.length === 0) return null;
  const lines = asked.slice(0, MOST_LINES)
    .map((row) => `${row.path}: ${describeAction(session, inspection, row)} (${row.reason})`);
  const more = asked.length > MOST_LINES ? [`and ${asked.length - MOST_LINES} more`] : [];
  const about = JSON.stringify([inspection.seen?.tree, inspection.seen?.head, rows]);
  const hash = createHash("sha256").update(about).digest("hex").slice(0, 16);
  return {
    key: `changes ${session.id} ${hash}`,
    message: [
      "Files changed outside the steps of the session. The agent wants to settle them so:",
      ...lines,
      ...more,
      ...(ofTools.length === 0 ? [] : [`Said to be written by a tool: ${formatPaths(ofTools)}.`]),
      ...formatOverlapLines(overlapping),
    ].join("\n"),
    fields: [{ name: "agree", title: "Settle them so", type: "boolean", required: true }],
  };
}

/**
 * What a row means for the user; a commit of theirs on the session's branch is merged with its
 * work.
 */
function describeAction(
  { state }: OpenSession,
  { seen }: Inspection,
  { path, action }: ChangeResolution,
): string {
  if (path !== "HEAD" || action !== "person") return MEANINGS[action];
  const branch = seen?.head.branch ?? null;
  return branch !== null && branch === state.workspace.taskBranch
    ? "the commit stays: what it changed is reviewed and merged with the work of the session"
    : "yours: HEAD and the commit stay as they are now";
}

function formatOverlapLines(overlapping: readonly ProjectPath[]): readonly string[] {
  if (overlapping.length === 0) return [];
  return [
    `In these files your text stands on lines of the session: ${
      formatPaths(overlapping)
    }. ${OVERLAP_NOTE}`,
  ];
}

function formatPaths(paths: readonly ProjectPath[]): string {
  const more = paths.length > MOST_LINES ? `, and ${paths.length - MOST_LINES} more` : "";
  return `${paths.slice(0, MOST_LINES).join(", ")}${more}`;
}

/**
 * Fields of a reply that name files where text was attributed to the user on lines of the session.
 */
export function buildOverlapFields(
  overlapping: readonly ProjectPath[],
): Readonly<Record<string, unknown>> {
  return overlapping.length === 0 ? {} : {
    on_session_lines: overlapping.slice(0, MOST_LINES),
    on_session_lines_note:
      `The person's text stands on lines of the session there: it is verified with the work, and at ${STEP.PRE_COMMIT} ` +
      "the person is asked before a commit takes it.",
  };
}

/** What happens to the user's text on lines of the session. */
const OVERLAP_NOTE =
  "There it cannot be told from the session's work: it is verified with it, and you are asked again before a commit takes it.";

/** Asks the question; hold no lock meanwhile. */
export async function askPerson(
  question: Question,
  asker: UserPrompt,
  signal: AbortSignal,
): Promise<UserAnswer> {
  const answer = await asker.ask(question, signal);
  return {
    key: question.key,
    answer: classifyAnswer(answer),
    source: asker.source ?? "asked",
    values: answer.kind === "answered" ? answer.values : {},
  };
}

function classifyAnswer(answer: Answer): UserAnswer["answer"] {
  switch (answer.kind) {
    case "answered":
      // A form without this field offers a choice, and each choice is an answer.
      return answer.values.agree === false ? "refused" : "confirmed";
    case "declined":
      return "refused";
    case "unavailable":
      return "relayed";
    case "unanswered":
    case "input_required":
      return "unanswered";
  }
}

/** The problem when the user did not agree; null when what they were asked may be done. */
export function checkAnswer({ answer }: UserAnswer, at?: string): Problem | null {
  const place = at === undefined ? {} : { at };
  if (answer === "refused") {
    return makeProblem("person_refused", "The person was asked and did not agree", {
      ...place,
      hint: "Nothing was changed. Ask them what they want, then send that, or park.",
    });
  }
  return answer !== "unanswered" ? null : makeProblem(
    "person_unanswered",
    "The person has not answered yet",
    { ...place, hint: say`Nothing was changed. ${SAME_CALL} again when they are there, or park.` },
  );
}
