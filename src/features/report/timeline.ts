/** The way of a session through its stages, with what happened in each: from its state and its records. It depends on its arguments alone. */
import type { SessionState } from "../../phase/state.ts";
import type { Stage } from "../../phase/table/phases.ts";
import { PHASES } from "../../phase/table/phases.ts";
import type { SessionRecord } from "../../session/records.ts";
import { REPORT_NOTES } from "../../session/records.ts";
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
  const placed: readonly (readonly [at: number, event: Event])[] = [
    ...records.flatMap(toEvent).map((event) =>
      [
        findVisit(path, event.at, event.kind === "failure" ? "POST_IMPL_VERIFY" : null),
        event,
      ] as const
    ),
    ...decisions.map(({ at, stage, decision, reason, source }) => {
      const text = reason === "" ? decision : `${decision}: ${reason}`;
      return [findVisit(path, at, stage), { kind: "answer", at, text, source }] as const;
    }),
  ];
  const events = placed.toSorted(([, a], [, b]) => toMs(a.at) - toMs(b.at));
  const calls = Map.groupBy(records, ({ at }) => findVisit(path, at, null));
  const summaries = toSummaries(state);
  return path.map(({ stage, at }, index) => {
    const next = path[index + 1]?.at ?? null;
    const rest = state.status === "ended" ? 0 : null;
    return {
      step: PHASES[stage].step,
      stage,
      at,
      seconds: next === null ? rest : (toMs(next) - toMs(at)) / 1_000,
      summaries: [...summaries.get(index) ?? []],
      tools: countTools(calls.get(index) ?? []),
      events: events.flatMap(([visit, event]) => visit === index ? [event] : []),
    };
  });
}

/**
 * The place of the last visit that had begun by then; of an event that ended its visit, which has the time of the next one,
 * the last visit of its stage.
 */
function findVisit(path: SessionState["path"], at: string, stage: Stage | null): number {
  const begun = path.findLastIndex((visit) => toMs(visit.at) <= toMs(at));
  const own = path.findLastIndex((visit, index) => index <= begun && visit.stage === stage);
  return Math.max(0, own < 0 ? begun : own);
}

function toMs(at: string): number {
  return Date.parse(at);
}

const EVENTS: Readonly<Record<string, Event["kind"]>> = {
  [REPORT_NOTES.refused]: "refusal",
  [REPORT_NOTES.asked]: "question",
  [REPORT_NOTES.failed]: "failure",
};

function toEvent(record: SessionRecord): readonly Event[] {
  const { at, kind } = record;
  if (kind === "call" && !record.ok) {
    return [{ kind: "call_refused", at, text: `${record.tool} ${record.subject}`.trim() }];
  }
  if (kind !== "note" || record.told === false) return [];
  const event = EVENTS[record.code] ?? "note";
  return [{ kind: event, at, text: record.text }];
}

function countTools(records: readonly SessionRecord[]): ReportVisit["tools"] {
  const counts = new Map<string, number>();
  for (const record of records) {
    if (record.kind !== "call") continue;
    const tool = record.via === "server" ? `${record.tool} (by the server)` : record.tool;
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].map(([tool, calls]) => ({ tool, calls }));
}

/**
 * The summaries of each visit, by its place. Neither names the other, but both are in the order of the session: a summary
 * belongs to the first visit of its stage that is not before the one of the summary before it.
 */
function toSummaries({ path, summaries }: SessionState): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  let last = 0;
  for (const [key, text] of Object.entries(summaries)) {
    const isOwn = ({ stage }: SessionState["path"][number]) => {
      const { summaryKey } = PHASES[stage];
      // Behind the key stand the task of step 13 and the number of a further visit.
      return key.startsWith(summaryKey) && /^(?:$|[.#])/.test(key.slice(summaryKey.length));
    };
    const next = path.findIndex((visit, index) => index >= last && isOwn(visit));
    const at = next >= 0 ? next : path.findLastIndex(isOwn);
    if (at < 0) continue;
    last = at;
    found.set(at, [...found.get(at) ?? [], text]);
  }
  return found;
}
