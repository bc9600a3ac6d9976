/** The pictures of the flow have every move of its table, and nothing else. */
import { deepStrictEqual as deepEqual, match } from "node:assert/strict";
import type { Stage } from "../../src/phase/table/phases.ts";
import { STAGES } from "../../src/phase/table/phases.ts";
import { EXITS, STARTS, TRANSITIONS } from "../../src/phase/table/transitions.ts";
import { toFlowDiagram, toPersonDiagram } from "../../tools/docs/phases_diagram.ts";

const NODE = /^\s+(\w+)(?:\["([^"]*)"\]|\(\["([^"]*)"\]\)|\{\{"([^"]*)"\}\})$/;
const ARROW = /^ {2}(\w+) -->(?:\|"([^"]*)"\|)? (\w+)$/;
const FRAME = /^ {2}(?:subgraph \w+ \["[^"]*"\]|end)$/;

interface Picture {
  /** Names of the stages that a node stands for, by its id. */
  readonly nodes: ReadonlyMap<string, readonly string[]>;
  readonly arrows: readonly (readonly [from: string, label: string, to: string])[];
  readonly unknown: readonly string[];
}

function read(diagram: string): Picture {
  const [head = "", ...lines] = diagram.split("\n");
  match(head, /^flowchart (?:TB|LR)$/);
  const nodes = new Map<string, readonly string[]>();
  const arrows: [string, string, string][] = [];
  const unknown: string[] = [];
  for (const line of lines) {
    const node = NODE.exec(line);
    const arrow = ARROW.exec(line);
    if (node !== null) {
      const text = node[2] ?? node[3] ?? node[4] ?? "";
      nodes.set(node[1] ?? "", text.split("<br/>").map((part) => part.replace(/^\d+ /, "")));
    } else if (arrow !== null) {
      for (const label of (arrow[2] ?? "").split("<br/>")) {
        arrows.push([arrow[1] ?? "", label, arrow[3] ?? ""]);
      }
    } else if (!FRAME.test(line)) unknown.push(line);
  }
  return { nodes, arrows, unknown };
}

/** Every arrow as `from outcome [conditions] to`, once for each stage that its node stands for. */
function toMoves({ nodes, arrows }: Picture): readonly string[] {
  return arrows.flatMap(([from, label, to]) => {
    const plain = label.replace(/ \(counted\)/, "").replace(/ \/ .*|: .*/, "");
    return (nodes.get(from) ?? []).map((stage) => `${stage} ${plain} ${to}`);
  });
}

const PICTURES = [toFlowDiagram(), toPersonDiagram()];

Deno.test("the diagrams have the lines of a Mermaid flowchart alone, and every node that arrows name", () => {
  for (const picture of PICTURES.map(read)) {
    deepEqual(picture.unknown, []);
    const named = picture.arrows.flatMap(([from, , to]) => [from, to]);
    deepEqual(named.filter((id) => !picture.nodes.has(id)), []);
  }
});

Deno.test("the diagrams have every transition, start and way out of the tables, and no other", () => {
  const drawn = PICTURES.flatMap((diagram) => toMoves(read(diagram))).sort();
  const toText = (on: string, when: readonly string[] = []) =>
    when.length === 0 ? on : `${on} [${when.join(" and ")}]`;
  const expected = [
    ...TRANSITIONS.map(({ from, on, when, to }) =>
      `${from} ${toText(on, when)} ${to === "stay" ? "PERSON" : to}`
    ),
    ...STARTS.map(({ when, to }) => `start_session ${when === undefined ? "" : `[${when}]`} ${to}`),
    ...EXITS.filter(({ to }) => to !== "stay").map(({ on, to }) =>
      `any step ${on} ${to === "parked" ? "PARKED" : "ENDED"}`
    ),
  ].sort();
  deepEqual(drawn, expected);
});

Deno.test("the first diagram has every stage, each in the frame of its part", () => {
  const { nodes } = read(toFlowDiagram());
  deepEqual(STAGES.filter((stage) => !nodes.has(stage)), []);
  const frames = toFlowDiagram().split("  end\n").map((part) =>
    [...part.split("subgraph")[1]?.matchAll(/^ {4}(\w+)/gm) ?? []].map(([, id]) => id as Stage)
  );
  deepEqual(frames.slice(0, 3).map(([first]) => first), [
    "BRANCH_INTERVENTION",
    "READY_PLAN",
    "POST_IMPL_VERIFY",
  ]);
});

Deno.test("an exit of the person is drawn once, not from each stage", () => {
  const { arrows } = read(toPersonDiagram());
  const texts = arrows.map(([, label, to]) => `${label} ${to}`);
  deepEqual([...new Set(texts)].length, texts.length);
});
