/** The picture of the architecture: a row of boxes for each layer, from the table of layers. Pure. */
import { FEATURES } from "../../src/features/features.ts";
import { FLOORS, LAYERS } from "../../tests/tidy/layers.ts";

const WIDTH = 880;
const ROW_HEIGHT = 46;
const LEFT = 96;
const FEATURES_LEFT = 760;
const BOX_HEIGHT = 24;
/** Of a letter of the monospaced font, with the margins of a box. */
const LETTER_WIDTH = 7.3;
const MARGIN = 14;

const STYLE = `
  text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1f2328; }
  .layer { font-weight: bold; }
  .note { font-size: 10px; fill: #59636e; }
  rect { fill: #eef4fb; stroke: #6d8fb3; }
  .feature { fill: #f4f0e6; stroke: #a8925a; }
  line { stroke: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    rect { fill: #1c2a3a; stroke: #5b7ea6; }
    .feature { fill: #2e2a1c; stroke: #a8925a; }
    line { stroke: #3d444d; }
  }
`;

/** Draws `docs/images/layers.svg`. */
export function renderLayers(): string {
  const height = FLOORS.length * ROW_HEIGHT + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    '<title id="title">Layers of code-intel</title>',
    `<desc id="desc">${describe()}</desc>`,
    `<style>${STYLE}</style>`,
    ...FLOORS.flatMap(drawFloor),
    ...drawFeatures(height),
    "</svg>\n",
  ].join("\n");
}

/** The same as a text, for readers who do not see it. */
function describe(): string {
  const layers = FLOORS.map(({ layer, folders }) => `${layer}: ${folders.join(", ")}`);
  const features = FEATURES.map(({ name }) => name).join(", ");
  return `From top to bottom, each layer imports only from itself and below. ${
    layers.join(". ")
  }. ` +
    `Beside them stand the features, which only main.ts knows: ${features}.`;
}

function drawFloor({ layer, folders }: typeof FLOORS[number], at: number): string[] {
  const top = at * ROW_HEIGHT + 8;
  let left = LEFT;
  const boxes = folders.map((name) => {
    const width = name.length * LETTER_WIDTH + MARGIN;
    const box = drawBox(name, { left, top, width, kind: "core" });
    left += width + 6;
    return box;
  });
  return [
    `<text class="layer" x="4" y="${top + 16}">${layer}</text>`,
    ...boxes,
    `<text class="note" x="${LEFT}" y="${top + 36}">${toUses(at)}</text>`,
    ...(at === 0 ? [] : [
      `<line x1="0" y1="${top - 5}" x2="${FEATURES_LEFT - 12}" y2="${top - 5}"/>`,
    ]),
  ];
}

/** The layers below that a layer imports from. */
function toUses(at: number): string {
  const allowed = new Set(FLOORS[at]?.folders.flatMap((name) => LAYERS[name] ?? []));
  const used = FLOORS.slice(at + 1).filter(({ folders }) =>
    folders.some((one) => allowed.has(one))
  );
  if (used.length === 0) return "imports nothing below";
  const isAll = used.length === FLOORS.length - at - 1;
  return `imports ${isAll ? "all layers below" : used.map(({ layer }) => layer).join(", ")}`;
}

function drawFeatures(height: number): string[] {
  const step = (height - 48) / FEATURES.length;
  const width = WIDTH - FEATURES_LEFT - 4;
  return [
    `<text class="layer" x="${FEATURES_LEFT}" y="24">features</text>`,
    ...FEATURES.map(({ name }, at) =>
      drawBox(name, { left: FEATURES_LEFT, top: 34 + at * step, width, kind: "feature" })
    ),
    `<text class="note" x="${FEATURES_LEFT}" y="${height - 4}">no layer imports one</text>`,
  ];
}

function drawBox(
  name: string,
  { left, top, width, kind }: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly kind: "core" | "feature";
  },
): string {
  const [x, y] = [left.toFixed(0), top.toFixed(0)];
  return `<rect class="${kind}" x="${x}" y="${y}" width="${
    width.toFixed(0)
  }" height="${BOX_HEIGHT}" rx="4"/>` +
    `<text x="${Number(x) + MARGIN / 2}" y="${Number(y) + 16}">${name}</text>`;
}
