/** The question to the person whether changes are settled as the agent says. */
import { createHash } from "node:crypto";
import type { Answer, AskedAt, Asker, FormValues, Question } from "../../base/asker.ts";
import type { Problem } from "../../base/problem.ts";
import { toProblem } from "../../base/problem.ts";
import type { ChangeResolution } from "../../phase/mod.ts";
import type { OpenSession } from "../desk.ts";
import type { Inspection } from "../changes/inspect.ts";

/** What the person said to one question. */
export interface PersonWord {
  /** Key of the question. */
  readonly key: string;
  /** `relayed`: nobody could be asked, the agent's word stands for theirs. */
  readonly answer: "confirmed" | "refused" | "unanswered" | "relayed";
  /** Where it was asked. */
  readonly source: AskedAt;
  /** What was filled in; empty where nothing was. */
  readonly values: FormValues;
}

const ACTIONS: Readonly<Record<ChangeResolution["action"], string | null>> = {
  restore: "put back as it was before (what is there now is kept)",
  person: "yours: it stays, and the session neither owns nor commits it",
  undo: "the commit or the switch is taken back, its content stays in the files",
  authorize: null,
};

const MOST_LINES = 20;

/**
 * The question about rows that rest on the person's word, or that would overwrite what may be theirs;
 * null where there is none.
 */
export function toResolutionQuestion(
  session: OpenSession,
  inspection: Inspection,
  rows: readonly ChangeResolution[],
): Question | null {
  const asked = rows.filter(({ action }) => ACTIONS[action] !== null);
  if (asked.length === 0) return null;
  const lines = asked.slice(0, MOST_LINES)
    .map(({ path, action, reason }) => `${path}: ${ACTIONS[action]} (${reason})`);
  const more = asked.length > MOST_LINES ? [`and ${asked.length - MOST_LINES} more`] : [];
  const about = JSON.stringify([inspection.seen?.tree, inspection.seen?.head, rows]);
  const hash = createHash("sha256").update(about).digest("hex").slice(0, 16);
  return {
    key: `changes ${session.id} ${hash}`,
    message: [
      "Files changed outside the steps of the session. The agent wants to settle them so:",
      ...lines,
      ...more,
    ].join("\n"),
    fields: [{ name: "agree", title: "Settle them so", type: "boolean", required: true }],
  };
}

/** Puts the question; hold no lock. */
export async function askPerson(
  question: Question,
  asker: Asker,
  signal: AbortSignal,
): Promise<PersonWord> {
  const answer = await asker.ask(question, signal);
  return {
    key: question.key,
    answer: toWord(answer),
    source: asker.source ?? "asked",
    values: answer.kind === "answered" ? answer.values : {},
  };
}

function toWord(answer: Answer): PersonWord["answer"] {
  switch (answer.kind) {
    case "answered":
      // A form without this field offers a choice: any of them is the person's word.
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

/** What stands in the way when the person did not agree; null when the rows may be carried out. */
export function checkWord(word: PersonWord | null): Problem | null {
  if (word?.answer === "refused") {
    return toProblem("person_refused", "The person did not agree to settle the changes so", {
      at: "data.change_resolution",
      hint: "Nothing was changed. Ask them what they want, then send that, or park.",
    });
  }
  if (word?.answer === "unanswered") {
    return toProblem("person_unanswered", "The person has not answered yet", {
      at: "data.change_resolution",
      hint: "Nothing was changed. Send the same call again.",
    });
  }
  return null;
}
