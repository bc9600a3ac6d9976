/** The command `stats`: what the logs of past sessions show, as tables or as JSON. */
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { CheckPrice, ResultCount } from "../../workflow/context/learning.ts";
import type { SessionStory, Stats } from "./stats.ts";
import { computeStats, tellSession } from "./stats.ts";
import { openServices } from "../../cli/answer.ts";
import type { Command, Invocation } from "../../cli/command.ts";
import { openProjectLearning } from "./open_learning.ts";

/** Shows outcomes by intent, phase, tool and risk, or one session completely. */
export const STATS: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel stats --session session_20260131_142530_9f3a",
  options: [
    {
      name: "session",
      kind: "text",
      value: "SESSION",
      summary: "One session: its decision beside its outcomes",
    },
    {
      name: "checks",
      kind: "flag",
      summary: "What each check of proofs cost here, and what it gave",
    },
  ],
  async run(invocation) {
    const learning = await openProjectLearning(await openServices(invocation));
    if (invocation.options["checks"] === true) {
      const checks = await learning.readPrices();
      await print({ ok: true, checks }, renderPrices(checks), invocation);
      return checks.length === 0 ? 1 : 0;
    }
    const [{ decisions, outcomes, damaged }, folder] = await Promise.all([
      learning.readLogs(),
      learning.listAgreements(),
    ]);
    const id = invocation.options["session"];
    if (typeof id === "string") {
      const story = tellSession(id, decisions, outcomes);
      const isKnown = story.decision !== null || story.outcomes.length > 0;
      await print({ ok: true, ...story }, renderStory(story), invocation);
      return isKnown ? 0 : 1;
    }
    const stats = computeStats(decisions, outcomes);
    const agreements = {
      total: folder.agreements.length,
      rejected: folder.agreements.filter(({ isRejected }) => isRejected).length,
      unreadable: folder.unreadable,
    };
    const faults = listFaults(damaged, folder);
    const lines = [...renderStats(stats), "", `agreements  ${agreements.total}`, ...faults];
    await print({ ok: true, ...stats, agreements, damaged_lines: damaged }, lines, invocation);
    return stats.sessions === 0 ? 1 : 0;
  },
};

async function print(
  data: unknown,
  lines: readonly string[],
  { isJson, terminal }: Invocation,
): Promise<void> {
  await (isJson ? terminal.data(`${JSON.stringify(data)}\n`) : terminal.out(...lines));
}

/** Each check with how often it had to run for one finding that led to a change, and for one that was overridden. */
function renderPrices(checks: readonly CheckPrice[]): readonly string[] {
  if (checks.length === 0) return ["No proof is on record yet."];
  const share = (runs: number, of: number) => of === 0 ? "-" : `${Math.round(runs / of * 10) / 10}`;
  const rows = checks.map(({ name, runs, seconds, paid, overridden, isRare }) => [
    name.replaceAll("_", " "),
    ...[runs, seconds, paid, share(runs, paid), overridden, share(runs, overridden)].map(String),
    isRare ? "once in ten" : "",
  ]);
  const head = ["check", "runs", "seconds", "paid", "to run", "overridden", "to harm", ""];
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0))
  );
  const lines = [head, ...rows].map((row) =>
    row.map((text, at) => at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))
      .join("  ").trimEnd()
  );
  return [
    ...lines,
    "paid: findings that led to a change; overridden: answered, or committed as they were;",
    "to run, to harm: runs for one of these",
  ];
}

function listFaults(
  damaged: number,
  folder: {
    readonly unreadable: readonly { readonly name: string; readonly reason: string }[];
    readonly passedOver: number;
  },
): readonly string[] {
  return [
    ...(damaged === 0
      ? []
      : [`Passed over in .code-intel/logs: ${formatCount(damaged, "damaged line")}`]),
    ...folder.unreadable.map(({ name, reason }) => `agreements/${name} is not used: ${reason}`),
    ...(folder.passedOver === 0
      ? []
      : [`Not read: ${formatCount(folder.passedOver, "further agreement")}`]),
  ];
}

const TABLES = [
  ["by_intent", "intent"],
  ["by_phase", "last phase"],
  ["by_risk", "risk"],
  ["by_confidence", "confidence"],
  ["by_tool", "tool"],
] as const;

function renderStats(stats: Stats): readonly string[] {
  if (stats.sessions === 0) return ["No outcome is on record yet."];
  const { all } = stats;
  const head = `${formatCount(all.total, "session")}: ${all.success} succeeded, ` +
    `${all.partial} in part, ${all.failure} failed; ${formatCount(stats.reverts, "revert")}, ` +
    formatCount(stats.interventions, "intervention");
  const tables = TABLES.flatMap(([key, title]) => ["", ...renderTable(title, stats[key])]);
  const points = stats.common_failure_points.flatMap((
    { phase, failures, root_causes: causes },
  ) => [`${phase}  ${failures}`, ...causes.map((cause) => `    ${cause}`)]);
  return [head, ...tables, ...(points.length === 0 ? [] : ["", "where work fails", ...points])];
}

function renderTable(
  title: string,
  rows: Readonly<Record<string, ResultCount>>,
): readonly string[] {
  const names = Object.keys(rows);
  const width = Math.max(title.length, ...names.map((name) => name.length));
  const head = `${title.padEnd(width)}  total  success  partial  failure`;
  const lines = Object.entries(rows).map(([name, row]) =>
    `${name.padEnd(width)}  ${cell(row.total, 5)}  ${cell(row.success, 7)}  ${
      cell(row.partial, 7)
    }  ${cell(row.failure, 7)}`
  );
  return [head, ...lines];
}

function cell(value: number, width: number): string {
  return `${value}`.padStart(width);
}

function renderStory(story: SessionStory): readonly string[] {
  const { decision, outcomes } = story;
  if (decision === null && outcomes.length === 0) {
    return [`Nothing is on record of ${story.session_id}.`];
  }
  const lines = [story.session_id];
  if (decision !== null) {
    lines.push(
      `  decision  ${formatTime(decision.at)}  ${decision.intent}  risk ${
        decision.risk ?? "unknown"
      }`,
      `    request  ${decision.query}`,
      `    symbols  ${decision.targetSymbols.join(", ") || "none"}`,
      `    missing  ${decision.missingSlots.join(", ") || "nothing"}`,
    );
    const { requiredPhases = [], toolsPlanned = [], bootstrapReason } = decision;
    if (requiredPhases.length > 0) lines.push(`    phases   ${requiredPhases.join(", ")}`);
    if (toolsPlanned.length > 0) lines.push(`    planned  ${toolsPlanned.join(", ")}`);
    if (typeof bootstrapReason === "string") lines.push(`    explore  ${bootstrapReason}`);
  }
  for (const line of outcomes) {
    lines.push(
      `  ${line.outcome}  ${formatTime(line.at)}  ${line.result}  at ${line.phase ?? "unknown"}`,
    );
    if (line.rootCause !== null) lines.push(`    cause  ${line.rootCause}`);
    if (line.files.length > 0) lines.push(`    files  ${line.files.join(", ")}`);
  }
  return lines;
}
