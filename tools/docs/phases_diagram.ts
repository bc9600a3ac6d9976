/** The pictures of `docs/phases.md`: the tables of the flow as Mermaid flowcharts. Pure. */
import type { Outcome, Stage } from "../../src/phase/table/phases.ts";
import { PHASES, STAGES } from "../../src/phase/table/phases.ts";
import type { Transition } from "../../src/phase/table/transitions.ts";
import { EXITS, STARTS, TRANSITIONS } from "../../src/phase/table/transitions.ts";

/** Stages that are drawn in one frame, by the step that each frame ends with. */
const FRAMES: readonly { readonly id: string; readonly title: string; readonly last: number }[] = [
  { id: "exploration", title: "Exploration: steps 2 to 11", last: 11 },
  { id: "ready", title: "READY: steps 12 to 14", last: 14 },
  { id: "finish", title: "Finish: steps 15 to 19", last: 19 },
];

/** Outcomes that are drawn in the picture of the person: going back, their answers, and what is asked of them. */
const PERSON_OUTCOMES: readonly Outcome[] = ["back", "continued", "accepted"];

/** Whether a row belongs to the picture of the person rather than to that of the way through. */
function isPersons({ on, to }: Transition): boolean {
  return to === "stay" || PERSON_OUTCOMES.includes(on);
}

/** The way through: every stage, and every move that needs no person. */
export function toFlowDiagram(): string {
  const moves = toArrows(
    TRANSITIONS.filter((row) => !isPersons(row))
      .map((row) => ({ from: row.from, to: toTargetId(row), label: toLabel(row) })),
  );
  const starts = toArrows(
    STARTS.map(({ when, to }) => ({
      from: "START",
      to,
      label: when === undefined ? "" : `[${when}]`,
    })),
  );
  return [
    "flowchart TB",
    '  START(["start_session"])',
    ...FRAMES.flatMap(({ id, title }, index) => [
      `  subgraph ${id} ["${title}"]`,
      ...STAGES.filter((stage) => stage !== "SESSION_COMPLETE" && toFrame(stage) === index)
        .map((stage) => `    ${toNode(stage)}`),
      "  end",
    ]),
    `  ${toNode("SESSION_COMPLETE")}`,
    ...starts,
    ...moves,
  ].join("\n");
}

/** Going back, the questions to the person and their answers: each once for all stages that it holds for. */
export function toPersonDiagram(): string {
  const groups = toGroups();
  const sources = [...new Set(groups.map(({ stages }) => toStageLines(stages)))];
  const toSource = (stages: readonly Stage[]) =>
    `FROM_${sources.indexOf(toStageLines(stages)) + 1}`;
  const targets = STAGES.filter((stage) => groups.some(({ to }) => to === stage));
  const exits = EXITS.filter(({ to }) => to !== "stay").map(({ on, to, does }) => ({
    from: "ANY",
    to: to === "parked" ? "PARKED" : "ENDED",
    label: toText(on, [], does),
  }));
  return [
    "flowchart LR",
    ...sources.map((lines, index) => `  FROM_${index + 1}["${lines}"]`),
    '  ANY["any step"]',
    '  PERSON{{"the person is asked"}}',
    ...targets.map((stage) => `  ${toNode(stage)}`),
    '  PARKED(["parked: get_session_status resumes it"])',
    '  ENDED(["ended"])',
    ...toArrows(groups.map(({ stages, to, label }) => ({ from: toSource(stages), to, label }))),
    ...toArrows(exits),
  ].join("\n");
}

/** The rows of the person, with all stages that have the same one. */
function toGroups(): readonly {
  readonly stages: readonly Stage[];
  readonly to: string;
  readonly label: string;
}[] {
  const groups = new Map<string, { stages: Stage[]; to: string; label: string }>();
  for (const row of TRANSITIONS.filter(isPersons)) {
    const [to, label] = [toTargetId(row), toLabel(row)];
    const group = groups.get(`${to} ${label}`) ?? { stages: [], to, label };
    group.stages.push(row.from);
    groups.set(`${to} ${label}`, group);
  }
  return [...groups.values()];
}

/** One line for each pair of nodes, with all that leads from the one to the other. */
function toArrows(
  arrows: readonly { readonly from: string; readonly to: string; readonly label: string }[],
): readonly string[] {
  const labels = new Map<string, string[]>();
  for (const { from, to, label } of arrows) {
    const key = `${from} ${to}`;
    labels.set(key, [...labels.get(key) ?? [], ...(label === "" ? [] : [label])]);
  }
  return [...labels].map(([key, all]) => {
    const [from = "", to = ""] = key.split(" ");
    const text = all.length === 0 ? "" : `|"${[...new Set(all)].join("<br/>")}"|`;
    return `  ${from} -->${text} ${to}`;
  });
}

/** As in state diagrams of UML: outcome, condition in brackets, effects behind a slash. */
function toLabel({ on, when = [], does = [], counts, asks }: Transition): string {
  const text = toText(counts === undefined ? on : `${on} (counted)`, when, does);
  return asks === undefined ? text : `${text}: ${asks}`;
}

function toText(on: string, when: readonly string[], does: readonly string[]): string {
  const condition = when.length === 0 ? "" : ` [${when.join(" and ")}]`;
  return `${on}${condition}${does.length === 0 ? "" : ` / ${does.join(", ")}`}`;
}

function toTargetId({ to }: Transition): string {
  return to === "stay" ? "PERSON" : to;
}

function toNode(stage: Stage): string {
  return stage === "SESSION_COMPLETE"
    ? 'SESSION_COMPLETE(["SESSION_COMPLETE"])'
    : `${stage}["${PHASES[stage].step} ${stage}"]`;
}

function toStageLines(stages: readonly Stage[]): string {
  return STAGES.filter((stage) => stages.includes(stage))
    .map((stage) => `${PHASES[stage].step} ${stage}`).join("<br/>");
}

function toFrame(stage: Stage): number {
  return FRAMES.findIndex(({ last }) => PHASES[stage].step <= last);
}
