/** `docs/phases.md` from the tables of the phase engine. */
import { BUILT_IN_CONTRACT } from "../../src/phase/contract/contract.ts";
import { CONDITIONS } from "../../src/phase/table/conditions.ts";
import type { EffectRow } from "../../src/phase/table/effects.ts";
import { EFFECTS } from "../../src/phase/table/effects.ts";
import { FLAGS } from "../../src/phase/table/flags.ts";
import type { Stage } from "../../src/phase/table/phases.ts";
import { PHASES, STAGES } from "../../src/phase/table/phases.ts";
import type { Transition } from "../../src/phase/table/transitions.ts";
import { DRAFTS } from "../../src/phase/drafts.ts";
import { EXITS, TRANSITIONS } from "../../src/phase/table/transitions.ts";
import { ESCALATIONS } from "../../src/phase/valves.ts";
import { toFlowDiagram, toPersonDiagram } from "./phases_diagram.ts";
import { toJsonBlock, toPage, toTable, toWord } from "./markdown.ts";

/** The page. */
export function renderPhases(): string {
  return toPage("Phases", "src/phase", [
    "The 19 steps from the request to the merged commit. The server decides the next step; the agent\n" +
    "answers each with `submit_phase`. Step 1 is `start_session`; READY is one phase with three\n" +
    "substeps, 12 to 14.",
    toTable(["step", "phase", "tools may", "prompt files of the project"], STAGES.map(toStageRow)),
    ...renderDrafts(),
    "## Way through",
    "Every move that needs no person. An arrow says the outcome, in brackets the condition, and behind the slash the\n" +
    "effects on git and files. Of several arrows with one outcome, one whose condition holds is taken before the one\n" +
    "without. Outcomes that are counted belong to a loop, which ends at its limit with another outcome (below).",
    `\`\`\`mermaid\n${toFlowDiagram()}\n\`\`\``,
    "## Going back, and the person",
    "The agent goes `back` to the exploration; at the limit of a loop the person is asked, and their answer is `continued` or\n" +
    "`accepted`, the latter also without a question. Parking and abandoning are open at every step.",
    `\`\`\`mermaid\n${toPersonDiagram()}\n\`\`\``,
    "## Flags",
    toTable(
      ["flag", "option", "effect (numbers are steps)"],
      Object.entries(FLAGS).map(([name, row]) => [toWord(name), toWord(row.option), row.effect]),
    ),
    "## Moves",
    "The first row that fits wins. `stay` keeps the step: the person has to be asked first. Effects are performed before the\n" +
    "move, in this order.",
    toTable(["from", "on", "when", "to", "effects", "also"], TRANSITIONS.map(toMoveRow)),
    toTable(
      ["condition", "holds where"],
      Object.entries(CONDITIONS).map(([name, { meaning }]) => [name, meaning]),
    ),
    "Ways out that are open at every step:",
    toTable(
      ["on", "to", "effects"],
      EXITS.map(({ on, to, does }) => [on, to, does.join(", ")]),
    ),
    "## Effects",
    "What a move does on git and files. It is written to the checkpoint before it is done; after a kill the next call completes it.\n" +
    "Where it keeps failing and the session is parked, it is tried again at the resume, or else given up.",
    toTable(
      [
        "effect",
        "what it does",
        "HEAD",
        "brings files",
        "runs git hooks",
        "tried again at the resume",
      ],
      Object.entries(EFFECTS).map(toEffectRow),
    ),
    "## Questions to the person",
    toTable(
      ["question", "text", "answers"],
      Object.entries(ESCALATIONS).map((
        [cause, row],
      ) => [cause, row.question, row.decisions.join(", ")]),
    ),
    "## Contract",
    "What each step asks for, unless `.code-intel/phase_contract.yml` of the project says more.",
    ...STAGES.flatMap(toContract),
  ]);
}

function renderDrafts(): readonly string[] {
  return [
    "## What the server sees by itself",
    "With `gate_level: auto` the agent may send the one payload of the default way (`done`, `observed`, `commit_message`) or\n" +
    "that of a later step: the server then makes the payloads of the steps between from what it saw, and stops where it has\n" +
    "to ask. Each is judged like one that was sent, and marked as the server's. `gate_level: full` walks nothing.",
    toTable(
      ["step", "the server sees", "it asks"],
      STAGES.filter((stage) => stage !== "SESSION_COMPLETE").map((stage) => {
        const { sees, asks } = DRAFTS[stage];
        return [toWord(stage), sees, asks ?? ""];
      }),
    ),
  ];
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
    (move.when ?? []).join(" and "),
    move.to === "stay" ? "stay" : toWord(move.to),
    (move.does ?? []).join(", "),
    toRemarks(move).join("; "),
  ];
}

function toRemarks({ counts, resets, asks, keepsVisit, end }: Transition): readonly string[] {
  return [
    ...(counts === undefined ? [] : [`counts ${counts.loop}, at its limit ${counts.atLimit}`]),
    ...(resets === undefined ? [] : [`sets to zero: ${resets.join(", ")}`]),
    ...(asks === undefined ? [] : [`asks ${asks}`]),
    ...(keepsVisit === undefined ? [] : ["keeps the visit"]),
    ...(end === undefined ? [] : [`ends ${end}`]),
  ];
}

function toEffectRow([kind, row]: readonly [string, EffectRow]): readonly string[] {
  const yes = (flag: boolean) => flag ? "yes" : "";
  return [
    kind,
    row.meaning,
    row.head.replaceAll("_", " "),
    yes(row.bringsFiles),
    yes(row.runsHooks),
    yes(row.isResumed),
  ];
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
    String(row.instruction) + (needs.length === 0 ? "" : `\n\nRequired: ${needs.join("; ")}.`),
    toJsonBlock(row.expectedPayload),
  ];
}
