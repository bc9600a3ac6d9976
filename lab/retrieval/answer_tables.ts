/** Tables of what the tool answers: the lines that it shows, and whether it is as sure as it may be. Pure. */
import { toFigure, toMean, toTable } from "../harness/figures.ts";
import type { LineShares, Measured } from "./measure.ts";
import type { PageInput } from "./page.ts";

const KINDS = ["doc", "commit"];
const COLUMNS: readonly (keyof LineShares)[] = ["plain", "pointed", "printed"];

/** Of the right lines, how many are shown, by what the question was made of. */
export function toLinesTable(made: readonly Measured[]): string {
  const rows = [...KINDS, null].map((kind) => {
    const own = made.filter(({ query }) => kind === null || query.category === kind)
      .flatMap(({ lines }) => lines ?? []);
    const means = COLUMNS.map((column) => toMean(own.map((lines) => lines[column])));
    const [plain = 0, pointed = 0] = means;
    const gain = plain === 0 ? "–" : `${((pointed / plain - 1) * 100).toFixed(1)} %`;
    return [kind ?? "both", String(own.length), ...means.map(toFigure), gain];
  });
  const columns = ["plain choice", "pointed at", "text shown", "gain of pointed at"];
  return toTable(["made of", "questions", ...columns], rows);
}

const LEVELS = ["high", "medium", "low"];
const FIRST = 3;

/** How often the right file is among the first three, by how sure the answer is. */
export function toConfidenceTable(
  { measured, made, absent }: Pick<PageInput, "measured" | "made" | "absent">,
): string {
  const isRight = ({ query, answer }: Measured) =>
    answer.paths.slice(0, FIRST).some((path) => query.targets.includes(path));
  const cell = (own: readonly Measured[]) =>
    own.length === 0 ? ["0", "–"] : [
      String(own.length),
      toFigure(own.filter(isRight).length / own.length),
    ];
  // In glossary words one after the other nobody asks.
  const asked = made.filter(({ query }) => query.category !== "japanese");
  const rows = LEVELS.map((level) => [
    level,
    ...cell(measured.filter(({ answer }) => answer.confidence === level)),
    ...cell(asked.filter(({ answer }) => answer.confidence === level)),
    String(absent.filter(({ answer }) => answer.confidence === level).length),
  ]);
  const nothing = `nothing there (${absent.length})`;
  return toTable(["confidence", "benchmark", "right", "made", "right", nothing], rows);
}
