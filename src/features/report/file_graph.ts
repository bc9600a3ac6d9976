/** Draws changed files and what depends on them as a small graph, without a script. Pure. */
import type { Html } from "../../pages/html.ts";
import { markup } from "../../pages/html.ts";
import type { ReportDependent } from "./report_schema.ts";

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
