/**
 * What the reply to several steps leaves out: facts that stand in it already, and forms of steps that the server goes by
 * itself.
 */
import type { Problem } from "../../base/problem.ts";
import type { Reply } from "../../base/reply.ts";
import type { JsonRecord } from "../../base/text/json_record.ts";
import { isRecord } from "../../base/text/json_record.ts";
import { say, tool } from "../../base/text/words.ts";
import { keepReported } from "../context/replies.ts";

/** A text this long says the same wherever it stands, also within another one (guessed). */
const TELLING_CHARS = 12;

/** What the steps of a merged or completed session said, where it says no more than that all went well. */
const USUAL: readonly (readonly [field: string, isUsual: (value: unknown) => boolean])[] = [
  ["tasks_registered", () => true],
  ["kept", () => true],
  ["discarded", (value) => value === 0],
  ["committed", (value) => value === true],
  ["verified", (value) => value === true],
  ["verification_source", (value) => value === "server"],
  // The draft that was not obeyed is the server's own.
  ["forced", () => true],
];

/** What the earlier steps reported, without what the last reply or an earlier row says too. */
export function tellOnce(rows: readonly JsonRecord[], last: Reply): readonly JsonRecord[] {
  const isOver = last["session_complete"] === true && last["verification_result"] !== undefined;
  const told = listTexts(last);
  return rows.flatMap(({ phase, ...fields }) => {
    const fresh = Object.entries(fields).filter(([field, value]) =>
      !(isOver && USUAL.some(([name, isUsual]) => name === field && isUsual(value))) &&
      !isTold(value, told)
    );
    told.push(...fresh.flatMap(([, value]) => listTexts(value)));
    return fresh.length === 0 ? [] : [{ phase, ...Object.fromEntries(fresh) }];
  });
}

/** Each text of a value; of `yes: 7 passed` also the word that it begins with. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value, value.split(": ")[0] ?? ""];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isRecord(value) ? Object.values(value).flatMap(listTexts) : [];
}

function isTold(value: unknown, told: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isTold(one, told));
  return typeof value === "string" &&
    (told.includes(value) ||
      value.length >= TELLING_CHARS && told.some((text) => text.includes(value)));
}

const SERVER = " (server)";

/** The steps that were taken; a row of steps of the server by its first and last. */
export function joinTaken(taken: readonly string[]): readonly string[] {
  const rows: string[][] = [];
  for (const step of taken) {
    const row = rows.at(-1);
    const isNext = step.endsWith(SERVER) && row?.at(-1)?.endsWith(SERVER) === true;
    if (isNext) row.push(step);
    else rows.push([step]);
  }
  return rows.map(([first = "", ...rest]) => {
    const last = rest.at(-1);
    return last === undefined ? first : `${first.slice(0, -SERVER.length)} to ${last}`;
  });
}

/** Where the session is: of the fields by which a step is gone by hand these stay. */
const PLACE = "ok session_id phase step of substep call compaction_count".split(" ");
/** A session that is at none of its steps keeps its whole reply. */
const ASIDE = "session_complete status user_escalation verification_running".split(" ");

/** A reply of the default way without the forms of the step at which it stopped; of a refusal the fields that it means stay. */
export function dropForms(reply: Reply): Reply {
  if (ASIDE.some((field) => reply[field] !== undefined)) return reply;
  const form = reply["expected_payload"];
  const problems = (reply["problems"] ?? []) as readonly Problem[];
  const wanted = problems.map(({ at = "" }) => at.replace(/^data\./, "").split(/[.[]/)[0] ?? "");
  const kept = keepFields(isRecord(form) ? form : {}, wanted);
  return {
    ...keepFields(reply, PLACE),
    instruction: chooseInstruction(reply),
    ...(Object.keys(kept).length === 0 ? {} : { expected_payload: kept }),
    ...keepReported(reply),
  } as unknown as Reply;
}

function keepFields(from: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(from).filter(([field]) => names.includes(field)));
}

function chooseInstruction(reply: Reply) {
  if (!reply.ok) {
    return say`Send what the hints ask for by ${
      tool("submit_phase")
    }, beside the one payload; the server goes on from here.`;
  }
  return reply["asked"] === undefined
    ? say`Mend what is named, then send the one payload again by ${
      tool("submit_phase")
    }: the server goes on.`
    : say`Send the answer to \`asked\` by ${
      tool("submit_phase")
    }; what you sent before is kept, and the server goes on.`;
}
