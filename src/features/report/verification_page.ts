/** Sections of the page of a session: its verification, its timeline, the graph of its files, and their diffs. Pure. */
import { formatCount, formatDuration, formatTime } from "../../base/text/plain_text.ts";
import { parseLocations } from "../../evidence/location.ts";
import type { Html } from "../../pages/html.ts";
import { bdi, code, markup } from "../../pages/html.ts";
import type {
  ReportDependent,
  ReportFile,
  ReportVerification,
  ReportVisit,
  SessionReport,
} from "./report_schema.ts";
import { LAST_STEP } from "../../base/steps.ts";
import { PHASES, STAGES } from "../../phase/table/phases.ts";
import type { PageSection } from "../../pages/page.ts";
import { eachNewLine, formatCoverage, formatMutants } from "./plain.ts";
import { formatVerified } from "./report_markdown.ts";

const MOST_LINES = 600;

/**
 * The hunks of a file, with signs beside the colours; it can be scrolled by the keyboard.
 *
 * @param idle numbers of added lines that no recorded test runs.
 */
export function toDiffView(path: string, diff: string, idle: readonly number[] = []): Html {
  const lines: { readonly text: string; readonly kind: string }[] = [];
  eachNewLine(diff, (line, text) => {
    const isIdle = text.startsWith("+") && idle.includes(line);
    lines.push({ text, kind: isIdle ? `${toKind(text)} idle` : toKind(text) });
  });
  const rest = lines.length - MOST_LINES;
  return markup`
    <pre class="diff" tabindex="0" role="region"
      aria-label="Changed lines of ${path}">${
    lines.slice(0, MOST_LINES).map(({ text, kind }) => markup`<span class="${kind}">${text}</span>`)
  }${rest > 0 ? markup`<span class="h">… ${formatCount(rest, "more line")}</span>` : null}</pre>
  `;
}

function toKind(line: string): string {
  return line.startsWith("@@") ? "h" : line.startsWith("+") ? "a" : line.startsWith("-") ? "r" : "";
}

/** The hunks in which the places of evidence lie, by file; empty where the diff does not show them. */
export function findEvidenceHunks(
  evidence: string,
  files: readonly ReportFile[],
): readonly { readonly path: string; readonly diff: string }[] {
  const places = parseLocations(evidence);
  return files.flatMap(({ path, diff }) => {
    const own = places.filter((place) => place.path === path);
    if (own.length === 0 || diff === null) return [];
    const hunks = diff.split(/^(?=@@ )/m).filter((hunk) => {
      const [, start = "0", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
      const [first, end] = [Number(start), Number(start) + Number(count)];
      return own.some((place) => place.kind !== "lines" || first <= place.end && end > place.start);
    });
    return hunks.length === 0 ? [] : [{ path, diff: hunks.join("") }];
  });
}

const MOST_CHANGED = 12;
const MOST_DEPENDENTS = 20;
const WIDTH = 760;
const NODE = { width: 300, height: 24, gap: 8 } as const;
const NAME_CHARS = 40;

/** What a graph is made of. */
export interface FileGraphInput {
  readonly changed: readonly string[];
  /** Surest first. */
  readonly dependents: readonly ReportDependent[];
}

interface Node {
  readonly path: string;
  readonly y: number;
}

/** The graph, changed files on the left; null where nothing depends on them. What does not fit is counted. */
export function toFileGraph({ changed, dependents }: FileGraphInput): Html | null {
  if (dependents.length === 0) return null;
  const drawn = dependents.slice(0, MOST_DEPENDENTS);
  const used = new Set(drawn.flatMap(({ on }) => on));
  const reached = changed.filter((path) => used.has(path));
  const rows = Math.max(Math.min(reached.length, MOST_CHANGED), drawn.length);
  const height = rows * (NODE.height + NODE.gap) + NODE.gap;
  const left = toNodes(reached.slice(0, MOST_CHANGED), height);
  const right = toNodes(drawn.map(({ path }) => path), height);
  const places = new Map(left.map((node) => [node.path, node]));
  const x = WIDTH - NODE.width - 1;
  const edges = drawn.flatMap(({ on, is_proven: isProven }, at) =>
    on.flatMap((path) => {
      const [from, to] = [places.get(path), right[at]];
      if (from === undefined || to === undefined) return [];
      const [y1, y2] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
      const middle = (NODE.width + x) / 2;
      return [
        markup`
          <path class="edge ${isProven ? "" : "edge-name"}"
            d="M${NODE.width} ${y1} C${middle} ${y1} ${middle} ${y2} ${x} ${y2}" />
        `,
      ];
    })
  );
  const title = `${left.length} changed and ${right.length} dependent files`;
  return markup`
    <figure class="graph">
      <div class="scroll" tabindex="0" role="group" aria-label="${title}">
        <svg viewBox="0 0 ${WIDTH} ${height}" role="img"
          aria-label="${title}; the list below says the same">${edges}${
    left.map((node) => toBox(node, 1, "graph-changed"))
  }${right.map((node) => toBox(node, x, "graph-node"))}</svg>
      </div>
      <figcaption
        class="faint">Left: changed files. Right: files with a place that leads to them; a dashed line where only the name is the same.${
    toRest(
      reached.length - left.length,
      dependents.length - right.length,
    )
  }</figcaption>
    </figure>
  `;
}

function toRest(changed: number, dependents: number): string {
  const parts = [
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(dependents > 0 ? [`${dependents} dependent`] : []),
  ];
  return parts.length === 0 ? "" : ` Not drawn: ${parts.join(" and ")} files.`;
}

/** Nodes of one column, spread over its height. */
function toNodes(paths: readonly string[], height: number): readonly Node[] {
  const room = height / paths.length;
  return paths.map((path, at) => ({ path, y: Math.round((at + 0.5) * room - NODE.height / 2) }));
}

function toBox({ path, y }: Node, x: number, kind: string): Html {
  return markup`
    <g>
      <title>${path}</title>
      <rect class="${kind}" x="${x}" y="${y}" width="${NODE.width - 1}" height="${NODE.height}"
        rx="4" />
      <text x="${x + 8}" y="${y + 16}">${toShortPath(path)}</text>
    </g>
  `;
}

/** The end of a path says more than its beginning. */
function toShortPath(path: string): string {
  const letters = [...path];
  return letters.length <= NAME_CHARS
    ? path
    : `…${letters.slice(letters.length - NAME_CHARS + 1).join("")}`;
}

/** The section. */
export function toTimelineSection({ timeline, session }: SessionReport): PageSection {
  const events = timeline.flatMap((visit) => visit.events);
  const count = (wanted: string) => events.filter(({ kind }) => kind === wanted).length;
  return {
    id: "timeline",
    title: "Timeline",
    body: markup`${toTrack(timeline, session)}
<p>${formatCount(timeline.length, "visit")}, ${
      formatCount(count("refusal"), "refused submission")
    }, ${formatCount(count("question"), "question")} to the person.</p>
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
    : `, ${formatDuration(seconds)}`;
  const rest = events.length - MOST_EVENTS;
  return markup`
    <li
      class="visit"><p><strong>${step} ${stage}</strong> <span class="faint">${
    formatTime(
      at,
    )
  }${time}${
    calls === 0
      ? null
      : markup`, ${formatCount(calls, "call")}: ${
        tools.map((row) => row.calls === 1 ? row.tool : `${row.tool} ×${row.calls}`).join(", ")
      }`
  }</span></p>
    ${summaries.map((text) => markup`<p class="quote">${bdi(text)}</p>`)}
    ${
    events.length === 0
      ? null
      : markup`<ul class="events">${
        events.slice(0, MOST_EVENTS).map((event) =>
          markup`<li class="${event.kind}"><strong>${NAMES[event.kind]}${
            event.source === undefined ? "" : ` (${event.source})`
          }:</strong> ${bdi(event.text)}</li>`
        )
      }${rest > 0 ? markup`<li>and ${rest} more</li>` : null}</ul>`
  }</li>
  `;
}

/** How certainly the work is verified, as a badge. */
export function renderVerifiedBadge(report: SessionReport): Html {
  const { verified } = report.session;
  const kind = verified === "yes" ? "good" : verified === "no" ? "bad" : "warn";
  return markup`<span class="badge ${kind}">${formatVerified(report).replaceAll("*", "")}</span>`;
}

/** The section; null where the session never came so far. */
export function renderVerification(report: SessionReport): PageSection | null {
  const { verification, findings } = report;
  if (verification === null) return null;
  return {
    id: "verification",
    title: "Verification",
    body: markup`<p>${renderVerifiedBadge(report)} ${formatTime(verification.at)}, ${
      bdi(verification.place)
    }.</p>
${verification.passed ? null : markup`<p class="box bad quote">${bdi(verification.details)}</p>`}
<ul>${verification.commands.map(renderCommand)}</ul>
${renderProof(verification)}
${
      findings.length === 0 ? null : markup`
        <h3>Findings, and the agent's answers</h3>
        <ul>${
        findings.map(({ what, reason }) => markup`<li>${bdi(what)}: ${bdi(reason)}</li>`)
      }</ul>
      `
    }
${verification.differs_from_trust.map((text) => markup`<p class="box warn">${bdi(text)}</p>`)}`,
  };
}

function renderCommand({ text, seconds, failures }: ReportVerification["commands"][number]): Html {
  return markup`<li>${code(text)}${
    seconds === null ? null : markup`
      <span class="faint">${formatDuration(seconds)}</span>
    `
  }${
    failures.length === 0
      ? null
      : markup`<ul>${failures.map((line) => markup`<li>${bdi(line)}</li>`)}</ul>`
  }</li>`;
}

function renderProof(
  { proving, proves_nothing: nothing, lost, coverage, mutants }: ReportVerification,
): Html | null {
  const list = (title: string, rows: readonly string[]) =>
    markup`<li>${title}<ul>${rows.map((row) => markup`<li>${bdi(row)}</li>`)}</ul></li>`;
  const rows = [
    ...(proving === 0 ? [] : [
      markup`<li>${
        formatCount(
          proving,
          "test fails without the change, so it proves it",
          "tests fail without the change, so they prove it",
        )
      }.</li>`,
    ]),
    ...(nothing.length === 0 ? [] : [list("These tests pass without the change too:", nothing)]),
    ...(lost.length === 0 ? [] : [list("These ran before the work and no longer run:", lost)]),
    ...(coverage === null ? [] : [
      coverage.places.length === 0
        ? markup`<li>${formatCoverage(coverage)}</li>`
        : list(`${formatCoverage(coverage)}; these did not:`, coverage.places),
    ]),
    ...(mutants === null ? [] : [
      mutants.survivors.length === 0
        ? markup`<li>${formatMutants(mutants)}</li>`
        : list(`${formatMutants(mutants)}:`, mutants.survivors),
    ]),
  ];
  return rows.length === 0
    ? markup`<p class="faint">Nothing is known of what the tests prove.</p>`
    : markup`
      <h3>What the tests prove</h3>
      <ul>${rows}</ul>
    `;
}
