/** The timeline of a session as a section: the 19 steps in one row, and each stay with what happened in it. Pure. */
import { LAST_STEP } from "../../base/steps.ts";
import { PHASES, STAGES } from "../../phase/table/phases.ts";
import type { Html } from "../../pages/html.ts";
import type { PageSection } from "../../pages/page.ts";
import { toCountText, toDurationText, toTimeText } from "../../base/text/plain_text.ts";
import { markup, theirs } from "../../pages/html.ts";
import type { ReportVisit, SessionReport } from "./report_schema.ts";

/** The section. */
export function toTimelineSection({ timeline, session }: SessionReport): PageSection {
  const events = timeline.flatMap((visit) => visit.events);
  const count = (wanted: string) => events.filter(({ kind }) => kind === wanted).length;
  return {
    id: "timeline",
    title: "Timeline",
    body: markup`${toTrack(timeline, session)}
<p>${toCountText(timeline.length, "visit")}, ${
      toCountText(count("refusal"), "refused submission")
    }, ${toCountText(count("question"), "question")} to the person.</p>
<ol class="plain">${timeline.map(toVisit)}</ol>`,
  };
}

/** The steps by number, and which of them the session went through. */
function toTrack(timeline: readonly ReportVisit[], session: SessionReport["session"]): Html {
  const steps = Array.from({ length: LAST_STEP }, (_, at) => at + 1);
  return markup`<ol class="track">${
    steps.map((step) => {
      const stays = new Map<string, number>();
      for (const visit of timeline.filter((one) => one.step === step)) {
        stays.set(visit.stage, (stays.get(visit.stage) ?? 0) + 1);
      }
      const most = Math.max(0, ...stays.values());
      const isHere = session.status !== "ended" && session.step === step;
      const [kind, words] = isHere
        ? ["here", "the session is here"]
        : most > 1
        ? ["again", `${most} times`]
        : most === 1 || step === 1
        ? ["done", "done"]
        : ["", "not needed or not reached"];
      const name = step === 1 ? "START" : STAGES.find((stage) => PHASES[stage].step === step) ?? "";
      return markup`
        <li class="${kind}"
          title="${name}: ${words}">${step}<span class="hidden"> ${name}: ${words}</span></li>
      `;
    })
  }</ol>`;
}

const NAMES = {
  refusal: "Refused",
  failure: "Verification failed",
  call_refused: "Call not answered",
  question: "Question to the person",
  answer: "Answer of the person",
  note: "Note",
} as const;

const MOST_EVENTS = 40;

function toVisit({ step, stage, at, seconds, summaries, tools, events }: ReportVisit): Html {
  const calls = tools.reduce((sum, row) => sum + row.calls, 0);
  const time = seconds === null
    ? ", until now"
    : seconds === 0
    ? ""
    : `, ${toDurationText(seconds)}`;
  const rest = events.length - MOST_EVENTS;
  return markup`
    <li
      class="visit"><p><strong>${step} ${stage}</strong> <span class="faint">${
    toTimeText(
      at,
    )
  }${time}${
    calls === 0
      ? null
      : markup`, ${toCountText(calls, "call")}: ${
        tools.map((row) => row.calls === 1 ? row.tool : `${row.tool} ×${row.calls}`).join(", ")
      }`
  }</span></p>
    ${summaries.map((text) => markup`<p class="quote">${theirs(text)}</p>`)}
    ${
    events.length === 0
      ? null
      : markup`<ul class="events">${
        events.slice(0, MOST_EVENTS).map((event) =>
          markup`<li class="${event.kind}"><strong>${NAMES[event.kind]}${
            event.source === undefined ? "" : ` (${event.source})`
          }:</strong> ${theirs(event.text)}</li>`
        )
      }${rest > 0 ? markup`<li>and ${rest} more</li>` : null}</ul>`
  }</li>
  `;
}
