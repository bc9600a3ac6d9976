/** `docs/phases.md` from the tables of the phase engine. */
import { BUILT_IN_CONTRACT } from "../../src/phase/contract.ts";
import { FLAGS } from "../../src/phase/flags.ts";
import type { Stage } from "../../src/phase/phases.ts";
import { PHASES, STAGES } from "../../src/phase/phases.ts";
import type { Transition } from "../../src/phase/transitions.ts";
import { TRANSITIONS } from "../../src/phase/transitions.ts";
import { toJsonBlock, toPage, toTable, toWord } from "./markdown.ts";

/** The page. */
export function renderPhases(): string {
  return toPage("Phases", "src/phase", [
    "The 19 steps from the request to the merged commit. The server decides the next step; the agent\n" +
    "answers each with `submit_phase`. Step 1 is `start_session`; READY is one phase with three\n" +
    "substeps, 12 to 14.",
    toTable(["step", "phase", "tools may", "prompt files of the project"], STAGES.map(toStageRow)),
    "## Way through",
    "The diagram leaves out moves that hang on a flag and answers of the person; the table below has all.",
    `\`\`\`mermaid\n${toDiagram()}\n\`\`\``,
    "## Flags",
    toTable(
      ["flag", "option", "effect"],
      Object.entries(FLAGS).map(([name, row]) => [toWord(name), toWord(row.option), row.effect]),
    ),
    "## Moves",
    "The first row that fits wins. `stay` keeps the step: the person has to be asked first.",
    toTable(["from", "on", "when", "to"], TRANSITIONS.map(toMoveRow)),
    "## Contract",
    "What each step asks for, unless `.code-intel/phase_contract.yml` of the project says more.",
    ...STAGES.flatMap(toContract),
  ]);
}

function toStageRow(stage: Stage): readonly string[] {
  const row = PHASES[stage];
  const name = row.substep === undefined ? row.phase : `${row.phase} (${row.substep})`;
  return [
    stage === "SESSION_COMPLETE" ? "end" : String(row.step),
    name,
    row.grants.join(", "),
    (row.prompts ?? []).map(toWord).join(", "),
  ];
}

function toMoveRow(move: Transition): readonly string[] {
  return [
    toWord(move.from),
    move.on,
    move.when ?? "",
    move.to === "stay" ? "stay" : toWord(move.to),
  ];
}

const PERSON_OUTCOMES: readonly string[] = ["continued", "accepted", "back", "limit"];

/** One arrow for each pair of stages: conditions and the person's answers would hide the flow. */
function toDiagram(): string {
  const arrows = new Map<string, Set<string>>();
  for (const { from, on, when, to } of TRANSITIONS) {
    if (to === "stay" || when !== undefined || PERSON_OUTCOMES.includes(on)) continue;
    const key = `${from} --> ${to}`;
    arrows.set(key, (arrows.get(key) ?? new Set()).add(on));
  }
  const lines = [...arrows].map(([arrow, outcomes]) => `  ${arrow}: ${[...outcomes].join(", ")}`);
  return ["stateDiagram-v2", "  [*] --> BRANCH_INTERVENTION: stale branches"]
    .concat("  [*] --> DOCUMENT_RESEARCH", lines, "  SESSION_COMPLETE --> [*]").join("\n");
}

function toContract(stage: Stage): readonly string[] {
  if (stage === "SESSION_COMPLETE") return [];
  const row = BUILT_IN_CONTRACT[stage];
  const needs = [
    ...row.requiredTools.map((tool) => `needs a call of \`${tool}\``),
    ...(row.minDistinctTools > 0 ? [`at least ${row.minDistinctTools} different tools`] : []),
  ];
  return [
    `### ${PHASES[stage].step} ${stage}`,
    row.instruction + (needs.length === 0 ? "" : `\n\nRequired: ${needs.join("; ")}.`),
    toJsonBlock(row.expectedPayload),
  ];
}
