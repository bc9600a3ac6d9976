/** The tables of the matrix of proofs. Pure. */
import { fillPage, toTable } from "../../tools/docs/markdown.ts";
import type { TriedChange } from "./try_change.ts";
import type { MatrixChange, MatrixProject, WrongKind } from "./project.ts";
import { WRONG_KINDS } from "./project.ts";

/** A change with what was said of it. */
export interface MatrixRow extends TriedChange {
  readonly project: MatrixProject;
  readonly change: MatrixChange;
}

const isRight = ({ change }: MatrixRow) => change.kind === "right";
const isBlocked = ({ proof }: MatrixRow) =>
  proof.verdict === "broken" || proof.verdict === "not proven";
const nameOf = ({ kind }: MatrixChange) => kind === "right" ? "right" : WRONG_KINDS[kind];

/** Whether the answer is the one that the change deserves. */
export function isAnswered(row: MatrixRow): boolean {
  return isRight(row) ? !isBlocked(row) : row.proof.verdict !== "proven";
}

/** One line for a terminal. */
export function formatRow(row: MatrixRow): string {
  const { project, change, proof, seconds, isGreen, testSeconds } = row;
  return [
    isAnswered(row) ? " " : "!",
    `${project.name} (${project.language})`,
    `${nameOf(change)}: ${change.what}`,
    proof.line,
    `${seconds} s`,
    `tests alone ${isGreen ? "green" : "red"} in ${testSeconds} s`,
  ].join(" | ");
}

/** The shares, one a line. */
export function formatShares(rows: readonly MatrixRow[]): readonly string[] {
  const right = rows.filter(isRight);
  const wrong = rows.filter((row) => !isRight(row));
  const share = (part: readonly MatrixRow[], all: readonly MatrixRow[]) =>
    all.length === 0
      ? "none"
      : `${part.length} of ${all.length} (${(part.length / all.length).toFixed(2)})`;
  return [
    `wrong changes that are not proven: ${share(wrong.filter(isAnswered), wrong)}, aim 0.95`,
    `right changes that are not blocked: ${share(right.filter(isAnswered), right)}, aim 1.00`,
    `right changes that are proven: ${
      share(right.filter(({ proof }) => proof.verdict === "proven"), right)
    }`,
    `wrong changes that a run of the tests alone shows: ${
      share(wrong.filter(({ isGreen }) => !isGreen), wrong)
    }`,
    `right changes that a run of the tests alone blocks: ${
      share(right.filter(({ isGreen }) => !isGreen), right)
    }`,
  ];
}

/** The page of the documents. */
export function renderProof(template: string, rows: readonly MatrixRow[], place: string): string {
  const kinds = ["right", ...Object.keys(WRONG_KINDS)] as ("right" | WrongKind)[];
  const byKind = kinds.map((kind) => {
    const own = rows.filter(({ change }) => change.kind === kind);
    const count = (verdict: string) =>
      `${own.filter(({ proof }) => proof.verdict === verdict).length}`;
    return [
      kind === "right" ? "right" : WRONG_KINDS[kind],
      ...["proven", "not proven", "broken", "unknown"].map(count),
      `${own.filter(({ isGreen }) => isGreen).length} of ${own.length}`,
    ];
  });
  const all = rows.map((row) => [
    `${row.project.name}${row.project.special === "" ? "" : ` (${row.project.special})`}`,
    row.project.language,
    nameOf(row.change),
    row.change.what,
    `${isAnswered(row) ? "" : "**wrong:** "}${row.proof.line}`,
    `${row.seconds}`,
    row.isGreen ? "green" : "red",
  ]);
  return fillPage(template, {
    place,
    shares: formatShares(rows).map((line) => `- ${line}`).join("\n"),
    kinds: toTable(
      ["change", "proven", "not proven", "broken", "unknown", "tests alone are green"],
      byKind,
    ),
    rows: toTable(["project", "language", "change", "what", "verdict", "s", "tests alone"], all),
  });
}
