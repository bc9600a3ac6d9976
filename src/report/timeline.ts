/** The way of a session through its stages, with what happened in each: from its state and its records. It depends on its arguments alone. */
import type { SessionState } from "../phase/mod.ts";
import { PHASES } from "../phase/mod.ts";
import type { SessionRecord } from "../session/mod.ts";
import { REPORT_NOTES } from "../session/mod.ts";
import type { ReportVisit } from "./report_schema.ts";

type Event = ReportVisit["events"][number];

/** What a timeline is made of. */
export interface TimelineInput {
  readonly state: SessionState;
  readonly records: readonly SessionRecord[];
}

/** Every visit in the order of the session; each event stands in the visit during which it happened. */
export function toTimeline({ state, records }: TimelineInput): ReportVisit[] {
  const { path, decisions } = state;
  const events = [
    ...records.flatMap(toEvent),
    ...decisions.map(({ at, decision, reason, source }): Event => ({
      kind: "answer",
      at,
      text: reason === "" ? decision : `${decision}: ${reason}`,
      source,
    })),
  ].toSorted((a, b) => toMs(a.at) - toMs(b.at));
  const ended = state.status === "ended";
  const seen = new Map<string, number>();
  return path.map(({ stage, at }, index) => {
    const next = path[index + 1]?.at ?? null;
    const number = (seen.get(stage) ?? 0) + 1;
    seen.set(stage, number);
    const isWithin = (time: string) =>
      (index === 0 || toMs(time) >= toMs(at)) && (next === null || toMs(time) < toMs(next));
    const isLast = next === null;
    return {
      step: PHASES[stage].step,
      stage,
      at,
      seconds: next === null ? (ended ? 0 : null) : (toMs(next) - toMs(at)) / 1_000,
      summaries: toSummaries(state, stage, number),
      tools: countTools(records.filter(({ kind, at: time }) => kind === "call" && isWithin(time))),
      events: events.filter(({ at: time }) => isWithin(time) || isLast && toMs(time) >= toMs(at)),
    };
  });
}

function toMs(at: string): number {
  return Date.parse(at);
}

function toEvent(record: SessionRecord): readonly Event[] {
  const { at, kind } = record;
  if (kind === "call" && !record.ok) {
    return [{ kind: "call_refused", at, text: `${record.tool} ${record.subject}`.trim() }];
  }
  if (kind !== "note" || record.told === false) return [];
  const event = record.code === REPORT_NOTES.refused
    ? "refusal"
    : record.code === REPORT_NOTES.asked
    ? "question"
    : "note";
  return [{ kind: event, at, text: record.text }];
}

function countTools(records: readonly SessionRecord[]): ReportVisit["tools"] {
  const counts = new Map<string, number>();
  for (const record of records) {
    if (record.kind === "call") counts.set(record.tool, (counts.get(record.tool) ?? 0) + 1);
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls }));
}

/** The summaries of one visit: the first has no number in its key, and each task of step 13 has a key of its own. */
function toSummaries(
  { summaries }: SessionState,
  stage: keyof typeof PHASES,
  visit: number,
): string[] {
  const { summaryKey } = PHASES[stage];
  return Object.entries(summaries).flatMap(([key, text]) => {
    const [base = "", number = "1"] = key.split("#");
    const isOwn = base === summaryKey || base.startsWith(`${summaryKey}.`);
    return isOwn && Number(number) === visit ? [text] : [];
  });
}
