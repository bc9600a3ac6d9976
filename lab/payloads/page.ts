/** The tables of payloads that were tried. Pure. */
import { fillPage, toTable } from "../../tools/docs/markdown.ts";

/** A payload that was tried, and what became of it. */
export interface TriedPayload {
  readonly step: number;
  readonly name: string;
  /** The forms of a right payload, or what is wrong with it first. */
  readonly kinds: readonly string[];
  readonly isRight: boolean;
  readonly isTaken: boolean;
  /** Why it was refused. */
  readonly codes: readonly string[];
}

/** Whether a payload was answered as it deserves. */
export function isAnswered({ isRight, isTaken }: TriedPayload): boolean {
  return isRight === isTaken;
}

/** One line for a terminal. */
export function formatTried(tried: TriedPayload): string {
  const { step, name, kinds, isRight, isTaken, codes } = tried;
  const said = isTaken ? "taken" : `refused: ${codes.join(", ")}`;
  return `${isAnswered(tried) ? " " : "!"} ${step} ${name} | ${isRight ? "right" : "wrong"}: ${
    kinds.join(" + ")
  } | ${said}`;
}

/** The shares, one a line. */
export function formatShares(rows: readonly TriedPayload[]): readonly string[] {
  const right = rows.filter(({ isRight }) => isRight);
  const wrong = rows.filter(({ isRight }) => !isRight);
  const count = (part: readonly TriedPayload[], isTaken: boolean) =>
    part.filter((row) => row.isTaken === isTaken).length;
  return [
    `right payloads that were refused: ${count(right, false)} of ${right.length}, aim 0`,
    `wrong payloads that were taken: ${count(wrong, true)} of ${wrong.length}, aim 0`,
  ];
}

/** Right and wrong payloads by step. */
export function tabulateSteps(rows: readonly TriedPayload[]): readonly (readonly string[])[] {
  return [...Map.groupBy(rows, ({ step, name }) => `${step} ${name}`)].map(([name, own]) => {
    const count = (isRight: boolean, isTaken?: boolean) =>
      own.filter((row) => row.isRight === isRight && (isTaken ?? row.isTaken) === row.isTaken)
        .length;
    return [
      name,
      `${count(true)}`,
      `${count(true, false)}`,
      `${count(false)}`,
      `${count(false, true)}`,
    ];
  });
}

const HEAD = ["step", "right", "refused", "wrong", "taken"];

function tabulateKinds(rows: readonly TriedPayload[], isRight: boolean) {
  const own = rows.filter((row) => row.isRight === isRight);
  const kinds = [...new Set(own.flatMap(({ kinds }) => isRight ? kinds : kinds.slice(0, 1)))];
  return kinds.map((kind) => {
    const of = own.filter(({ kinds }) => kinds.includes(kind));
    const bad = of.filter((row) => !isAnswered(row)).length;
    const codes = [...new Set(of.flatMap(({ codes }) => codes))].filter((code) =>
      code !== "payload_mismatch"
    );
    return [kind, `${of.length}`, `${bad}`, ...(isRight ? [] : [codes.slice(0, 3).join(", ")])];
  });
}

/** The page of the documents. */
export function renderPayloads(template: string, rows: readonly TriedPayload[]): string {
  return fillPage(template, {
    shares: formatShares(rows).map((line) => `- ${line}`).join("\n"),
    steps: toTable(HEAD, tabulateSteps(rows)),
    forms: toTable(["form", "payloads", "refused"], tabulateKinds(rows, true)),
    wrong: toTable(
      ["what is wrong", "payloads", "taken", "refused for"],
      tabulateKinds(rows, false),
    ),
  });
}
