/**
 * Reads the rows of a payload that stand for something the session knows: tasks, items of a checklist, hypotheses. They may
 * be named by their number, in other letters, or cut. What is left out and known is filled in. Pure.
 */
import type { JsonRecord } from "../base/text/json_record.ts";
import { normaliseText } from "../base/text/shared_words.ts";
import type { SessionState } from "../phase/state.ts";
import { findNextTask } from "../phase/tasks.ts";
import { composeMessage } from "../phase/payload/filled_payload.ts";
import type { ParsedSubmission, PayloadOf } from "../phase/payload/payloads.ts";

const NUMBER = /^\s*(?:#|no\.?|item|task|h)?[\s_-]*(\d{1,4})\s*[.):]?\s*$/i;
/** A shorter beginning of a text could be that of another one (guessed). */
const LEAST_CHARS = 12;

/** The one of some texts that a sent one means; undefined where it means none, or could mean several. */
export function findMeantText(sent: string, known: readonly string[]): string | undefined {
  if (known.includes(sent)) return sent;
  const number = NUMBER.exec(sent)?.[1];
  if (number !== undefined) return known[Number(number) - 1];
  const plain = normaliseText(sent.replace(/^\s*#?\d{1,4}[.):]\s+/, ""));
  const only = (isMeant: (text: string) => boolean) => {
    const found = known.filter((one) => isMeant(normaliseText(one)));
    return found.length === 1 ? found[0] : undefined;
  };
  return only((one) => one === plain) ??
    only((one) =>
      Math.min(plain.length, one.length) >= LEAST_CHARS &&
      (one.startsWith(plain) || plain.startsWith(one))
    );
}

/** Sent texts as those that they mean; one that is sent itself is meant by no other. */
function readTexts(sent: readonly string[], known: readonly string[]): readonly string[] {
  return sent.map((text) =>
    findMeantText(
      text,
      known.filter((one) => one === text || !sent.includes(one) || NUMBER.test(text)),
    ) ?? text
  );
}

/** The payload with the names that the session knows for its rows. */
export function readKnownRows(
  parsed: ParsedSubmission,
  { tasks, hypotheses }: Pick<SessionState, "tasks" | "hypotheses">,
): ParsedSubmission {
  const { submission } = parsed;
  if (submission?.kind !== "payload") return parsed;
  const withData = (data: unknown) => ({ ...parsed, submission: { ...submission, data } });
  const ids = tasks.map(({ id }) => id);
  if (submission.stage === "READY_IMPL") {
    const report = submission.data as PayloadOf<"READY_IMPL">;
    const id = findMeantText(report.task_id, ids) ?? report.task_id;
    const planned = tasks.find((task) => task.id === id)?.checklist.map(({ item }) => item) ?? [];
    const items = readTexts(report.checklist.map(({ item }) => item), planned);
    const checklist = report.checklist.map((row, at) => ({ ...row, item: items[at] ?? row.item }));
    return withData({ ...report, task_id: id, checklist });
  }
  if (submission.stage === "VERIFICATION") {
    const { hypotheses_verified: rows } = submission.data as PayloadOf<"VERIFICATION">;
    const texts = readTexts(rows.map(({ hypothesis }) => hypothesis), hypotheses);
    return withData({
      hypotheses_verified: rows.map((row, at) => ({
        ...row,
        hypothesis: texts[at] ?? row.hypothesis,
      })),
    });
  }
  if (submission.stage !== "POST_IMPL_VERIFY") return parsed;
  const report = submission.data as PayloadOf<"POST_IMPL_VERIFY">;
  const failed = report.failed_tasks?.flatMap((text) => {
    const said = ids.filter((id) => ` ${text.replaceAll(/[^\w-]+/g, " ")} `.includes(` ${id} `));
    return said.length > 0 ? said : [findMeantText(text, ids) ?? text];
  });
  return failed === undefined ? parsed : withData({ ...report, failed_tasks: failed });
}

/** The payload with what the server knows and was left out: the task that is next, and the message of its draft. */
export function fillKnown(state: SessionState, sent: JsonRecord): JsonRecord {
  const has = (pattern: RegExp) => Object.keys(sent).some((name) => pattern.test(name));
  if (
    state.stage === "READY_IMPL" && has(/^(?:checklist|items|results)$/i) &&
    !has(/^(?:task.*|id)$/i)
  ) {
    return { ...sent, task_id: findNextTask(state.tasks)?.id };
  }
  if (state.stage === "PRE_COMMIT" && !has(/message|park|abandon|back|ask|decision/i)) {
    return { ...sent, commit_message: composeMessage(state) };
  }
  return sent;
}
